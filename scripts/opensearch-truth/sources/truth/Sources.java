package truth;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

import org.opensearch.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchModule;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * java … truth.Sources FILE: FILE has a name and a search's JSON a line, apart by a tab. Writes each as the library writes
 * it to another node, as instance lines of truth.Main: part SearchSource.
 */
public final class Sources {
    public static void main(String[] args) throws Exception {
        NamedXContentRegistry registry = new NamedXContentRegistry(new SearchModule(Settings.EMPTY, List.of()).getNamedXContents());
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String json = line.substring(line.indexOf('\t') + 1);
            try (XContentParser parser = JsonXContent.jsonXContent.createParser(registry, DeprecationHandler.IGNORE_DEPRECATIONS, json)) {
                TracedOutput traced = new TracedOutput(Version.CURRENT);
                SearchSourceBuilder source = SearchSourceBuilder.fromXContent(parser);
                source.writeTo(traced);
                out.println(
                    String.join(
                        "\t",
                        "instance",
                        "part",
                        "SearchSource",
                        source.getClass().getName(),
                        Version.CURRENT.toString(),
                        HexFormat.of().formatHex(traced.written()),
                        traced.calls()
                    )
                );
            }
        }
        out.flush();
    }
}
