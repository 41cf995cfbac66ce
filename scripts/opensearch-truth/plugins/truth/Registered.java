package truth;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import org.opensearch.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.SearchModule;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * java … truth.Registered PLUGIN_CLASS…: what a node's registry of named writeables has with a plugin and not without
 * it, as instance lines of truth.Main. Each is made by its own reader, from random numbers.
 */
final class Registered {
    private static final int INSTANCES = 20;
    private static final int TRIALS = 5000;
    private static final int MAX_BYTES = 700;

    public static void main(String[] args) throws Exception {
        for (String name : args) {
            print((Plugin) Class.forName(name).getConstructor().newInstance(), new Random(18));
        }
    }

    static void print(Plugin plugin, Random random) throws Exception {
        List<NamedWriteableRegistry.Entry> with = new ArrayList<>(entries(List.of((SearchPlugin) plugin)));
        with.addAll(plugin.getNamedWriteables());
        Map<Class<?>, List<NamedWriteableRegistry.Entry>> byCategory = new HashMap<>();
        with.forEach(entry -> byCategory.computeIfAbsent(entry.categoryClass, k -> new ArrayList<>()).add(entry));
        Set<String> known = new HashSet<>();
        entries(List.of()).forEach(entry -> known.add(key(entry)));
        for (NamedWriteableRegistry.Entry entry : with) {
            if (known.contains(key(entry)) == false) {
                print(entry, byCategory, random);
            }
        }
    }

    private static List<NamedWriteableRegistry.Entry> entries(List<SearchPlugin> plugins) {
        return new SearchModule(Settings.EMPTY, plugins).getNamedWriteables();
    }

    private static String key(NamedWriteableRegistry.Entry entry) {
        return entry.categoryClass.getName() + " " + entry.name;
    }

    private static void print(NamedWriteableRegistry.Entry entry, Map<Class<?>, List<NamedWriteableRegistry.Entry>> byCategory, Random random) {
        String category = entry.categoryClass.getName().replaceFirst(".*\\.", "");
        Words words = new Words();
        String reason = "";
        Set<String> written = new HashSet<>();
        for (int trial = 0; trial < TRIALS && written.size() < INSTANCES; trial++) {
            try {
                Writeable made = (Writeable) entry.reader.read(new RandomInput(random, Version.CURRENT, byCategory, words));
                TracedOutput traced = new TracedOutput(Version.CURRENT);
                made.writeTo(traced);
                if (traced.position() > MAX_BYTES || written.add(HexFormat.of().formatHex(traced.written())) == false) {
                    continue;
                }
                line(category, entry.name, made);
                if (made instanceof SearchExtBuilder extension) {
                    line("part", "SearchSource", new SearchSourceBuilder().ext(List.of(extension)).size(7));
                }
            } catch (Throwable e) {
                words.learn(e);
                reason = String.valueOf(e).lines().findFirst().orElse("");
            }
        }
        if (written.isEmpty()) {
            System.out.println(String.join("\t", "none", category, entry.name, "", Version.CURRENT.toString(), reason));
        }
    }

    static void line(String category, String name, Writeable written) throws Exception {
        TracedOutput traced = new TracedOutput(Version.CURRENT);
        written.writeTo(traced);
        String hex = HexFormat.of().formatHex(traced.written());
        System.out.println(String.join("\t", "instance", category, name, written.getClass().getName(), Version.CURRENT.toString(), hex, traced.calls()));
    }
}
