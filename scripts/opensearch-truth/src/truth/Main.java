package truth;

import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import org.opensearch.Version;
import org.opensearch.cluster.ClusterModule;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.io.stream.NamedWriteableAwareStreamInput;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.indices.IndicesModule;
import org.opensearch.join.ParentJoinModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.SearchModule;
import org.opensearch.search.aggregations.matrix.MatrixAggregationModulePlugin;
import org.opensearch.core.transport.TransportMessage;

/**
 * java … truth.Main LIB_DIR INSTANCES SEED VERSION…, or LIB_DIR read FILE for what another version of the library wrote: writes to standard output, a line each and parts apart by tabs,
 *   release   version  id                                   each that the library knows
 *   instance  category  name  class  version  hex  calls    of each entry, each transport message (category "message"), and the parts of what nodes publish ("part")
 *   none      category  name  class  version  reason        where the library made none of itself
 *   unread    category  name  class  version  reason        what the library wrote and does not read, so that no node can receive it
 */
public final class Main {
    private static final int TRIALS = 1500;
    /** After an instance that no earlier one equals. */
    private static final int MORE_TRIALS = 100;
    private static final int MAX_BYTES = 700;
    private static final int MAX_BYTES_OF_PARTS = 2500;

    private static final Set<String> PROXIED = Set.of(
        "CreateReaderContextRequest",
        "InternalScrollSearchRequest",
        "PitFreeContextsRequest",
        "QuerySearchRequest",
        "ScrollFreeContextRequest",
        "SearchFreeContextRequest",
        "ShardFetchRequest",
        "ShardFetchSearchRequest",
        "ShardSearchRequest",
        "UpdatePitContextRequest"
    );

    private record Kind(String category, String name, Class<?> type, Writeable.Reader<?> reader) {}

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        Map<Class<?>, List<NamedWriteableRegistry.Entry>> entries = entries();
        NamedWriteableRegistry registry = new NamedWriteableRegistry(entries.values().stream().flatMap(List::stream).toList());
        List<Kind> kinds = new ArrayList<>();
        for (Map.Entry<Class<?>, List<NamedWriteableRegistry.Entry>> category : entries.entrySet()) {
            for (NamedWriteableRegistry.Entry entry : category.getValue()) {
                kinds.add(new Kind(simple(category.getKey()), entry.name, null, entry.reader));
            }
        }
        for (Class<?> type : messages(Path.of(args[0]))) {
            Constructor<?> constructor = type.getDeclaredConstructor(StreamInput.class);
            constructor.setAccessible(true);
            kinds.add(new Kind("message", simple(type), type, in -> {
                try {
                    return constructor.newInstance(in);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e.getCause() == null ? e : e.getCause());
                }
            }));
        }
        proxied(kinds);
        parts(kinds);
        registerValues();
        // Before its enum of blocks, whose settings need it.
        Class.forName(IndexMetadata.class.getName());
        for (Field field : Version.class.getFields()) {
            if (field.getType() == Version.class && field.getName().startsWith("V_")) {
                Version version = (Version) field.get(null);
                line(out, "release", version.toString(), Integer.toString(version.id));
            }
        }
        if (args[1].equals("read")) {
            readAll(Path.of(args[2]), kinds, registry, out);
            out.flush();
            return;
        }
        int instances = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        for (int i = 3; i < args.length; i++) {
            Version version = Version.fromString(args[i]);
            for (Kind kind : kinds) {
                write(kind, version, entries, registry, instances, seed, out);
            }
        }
        out.flush();
    }

    private static void write(
        Kind kind,
        Version version,
        Map<Class<?>, List<NamedWriteableRegistry.Entry>> entries,
        NamedWriteableRegistry registry,
        int instances,
        long seed,
        PrintStream out
    ) {
        Random random = new Random(seed ^ kind.name.hashCode() ^ version.id);
        Set<String> written = new HashSet<>();
        Set<String> unread = new HashSet<>();
        Words words = new Words();
        String reason = "";
        int last = TRIALS;
        for (int trial = 0; trial < last && written.size() < instances; trial++) {
            try {
                Object made = kind.reader.read(new RandomInput(random, version, entries, words));
                TracedOutput traced = new TracedOutput(version);
                ((Writeable) made).writeTo(traced);
                byte[] bytes = traced.written();
                String hex = HexFormat.of().formatHex(bytes);
                if (bytes.length > (kind.category.equals("part") ? MAX_BYTES_OF_PARTS : MAX_BYTES) || written.contains(hex) || unread.contains(hex)) {
                    continue;
                }
                String refusal = refusal(kind, version, registry, bytes);
                if (refusal != null) {
                    unread.add(hex);
                    if (unread.size() <= instances) {
                        line(out, "unread", kind.category, kind.name, made.getClass().getName(), version.toString(), refusal);
                    }
                    continue;
                }
                written.add(hex);
                last = trial + MORE_TRIALS;
                line(out, "instance", kind.category, kind.name, made.getClass().getName(), version.toString(), hex, traced.calls());
            } catch (Throwable e) {
                words.learn(e);
                reason = String.valueOf(e).lines().findFirst().orElse("");
            }
        }
        if (written.isEmpty()) {
            line(out, "none", kind.category, kind.name, kind.type == null ? "" : kind.type.getName(), version.toString(), reason);
        }
    }

    /** The lines of a file, without the instances that this library does not read. */
    private static void readAll(Path file, List<Kind> kinds, NamedWriteableRegistry registry, PrintStream out) throws Exception {
        Map<String, Kind> byName = new TreeMap<>();
        for (Kind kind : kinds) {
            String name = kind.category + "\t" + kind.name;
            byName.putIfAbsent(name, kind);
            byName.put(name + "\t" + (kind.type == null ? "" : kind.type.getName()), kind);
        }
        for (String text : Files.readAllLines(file)) {
            String[] parts = text.split("\t", -1);
            if (parts[0].equals("none")) {
                out.println(text);
            }
            if (parts[0].equals("instance") == false) {
                continue;
            }
            String name = parts[1] + "\t" + parts[2];
            Kind kind = byName.getOrDefault(name + "\t" + parts[3], byName.get(name));
            String refusal = kind == null
                ? "no such class"
                : refusal(kind, Version.fromString(parts[4]), registry, HexFormat.of().parseHex(parts[5]));
            if (refusal == null) {
                out.println(text);
            } else {
                line(out, "unread", parts[1], parts[2], parts[3], parts[4], refusal);
            }
        }
    }

    /** Why the library does not read what it wrote; null: it does, to the last byte. */
    private static String refusal(Kind kind, Version version, NamedWriteableRegistry registry, byte[] bytes) {
        try (StreamInput in = new NamedWriteableAwareStreamInput(new BytesArray(bytes).streamInput(), registry)) {
            in.setVersion(version);
            kind.reader.read(in);
            return in.available() == 0 ? null : in.available() + " bytes are left";
        } catch (Throwable e) {
            return String.valueOf(e).lines().findFirst().orElse("");
        }
    }

    /** Requests that reach a node through another one (TransportActionProxy). */
    private static void proxied(List<Kind> kinds) throws Exception {
        Class<?> proxy = Class.forName("org.opensearch.transport.TransportActionProxy$ProxyRequest");
        Constructor<?> constructor = proxy.getDeclaredConstructor(StreamInput.class, Writeable.Reader.class);
        constructor.setAccessible(true);
        for (Kind kind : List.copyOf(kinds)) {
            if (kind.type == null || PROXIED.contains(kind.type.getSimpleName()) == false || kind.type.getName().contains("search") == false) {
                continue;
            }
            kinds.add(new Kind("message", "Proxy" + kind.type.getSimpleName(), proxy, in -> {
                try {
                    return constructor.newInstance(in, kind.reader);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e.getCause() == null ? e : e.getCause());
                }
            }));
        }
    }

    /** As a node does when it starts: points and Joda's instants among the generic values. Earlier versions know them without. */
    private static void registerValues() throws Exception {
        try {
            Class.forName("org.opensearch.common.io.stream.Streamables").getMethod("registerStreamables").invoke(null);
        } catch (ClassNotFoundException e) {
            // An earlier version.
        }
    }

    /** What nodes publish, which is sent in a compressed blob and is not a message of its own, and values of any type. */
    private static void parts(List<Kind> kinds) {
        kinds.add(new Kind("part", "GenericValue", null, AnyValue::read));
        kinds.add(new Kind("part", "ClusterState", null, in -> ClusterState.readFrom(in, null)));
        kinds.add(new Kind("part", "Metadata", null, Metadata::readFrom));
        kinds.add(new Kind("part", "MetadataDiff", null, Metadata::readDiffFrom));
        kinds.add(new Kind("part", "IndexMetadata", null, IndexMetadata::readFrom));
        kinds.add(new Kind("part", "IndexMetadataDiff", null, IndexMetadata::readDiffFrom));
        kinds.add(new Kind("part", "RoutingTable", null, RoutingTable::readFrom));
        kinds.add(new Kind("part", "RoutingTableDiff", null, RoutingTable::readDiffFrom));
    }

    private static void line(PrintStream out, String... parts) {
        out.println(String.join("\t", parts).replace("\n", " "));
    }

    private static String simple(Class<?> type) {
        return type.getName().substring(type.getName().lastIndexOf('.') + 1);
    }

    private static Map<Class<?>, List<NamedWriteableRegistry.Entry>> entries() throws Exception {
        List<SearchPlugin> plugins = List.of(new ParentJoinModulePlugin(), new MatrixAggregationModulePlugin());
        Map<Class<?>, List<NamedWriteableRegistry.Entry>> entries = new TreeMap<>(Comparator.comparing(Class::getName));
        Stream.of(
            new SearchModule(Settings.EMPTY, plugins).getNamedWriteables(),
            ClusterModule.getNamedWriteables(),
            new IndicesModule(List.of()).getNamedWriteables(),
            NetworkModule.getNamedWriteables(),
            rankEvaluation().getNamedWriteables()
        ).flatMap(List::stream).forEach(entry -> entries.computeIfAbsent(entry.categoryClass, k -> new ArrayList<>()).add(entry));
        return entries;
    }

    /** Named otherwise before 2.1. */
    private static Plugin rankEvaluation() throws Exception {
        String name = "org.opensearch.index.rankeval.RankEval";
        Class<?> type;
        try {
            type = Class.forName(name + "ModulePlugin");
        } catch (ClassNotFoundException e) {
            type = Class.forName(name + "Plugin");
        }
        return (Plugin) type.getDeclaredConstructor().newInstance();
    }

    /** Requests and responses that read themselves from a stream. */
    private static List<Class<?>> messages(Path libraries) throws Exception {
        List<Class<?>> found = new ArrayList<>();
        List<Path> jars;
        try (Stream<Path> files = Files.list(libraries)) {
            jars = files.filter(path -> path.getFileName().toString().matches("(opensearch|parent-join|aggs-matrix|lang-mustache|rank-eval).*\\.jar")).sorted().toList();
        }
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                for (String name : file.stream().map(Object::toString).filter(entry -> entry.endsWith(".class")).sorted().toList()) {
                    Class<?> type;
                    try {
                        type = Class.forName(name.replace('/', '.').replace(".class", ""), false, Main.class.getClassLoader());
                        if (TransportMessage.class.isAssignableFrom(type) == false || Modifier.isAbstract(type.getModifiers())) {
                            continue;
                        }
                        type.getDeclaredConstructor(StreamInput.class);
                    } catch (Throwable e) {
                        continue;
                    }
                    found.add(type);
                }
            }
        }
        return found;
    }
}
