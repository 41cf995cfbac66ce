package truth;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.opensearch.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.transport.Transport;
import org.opensearch.transport.TransportService;

/** java … truth.Actions HOME: starts a node in the folder and writes a line, version and action apart by a tab, for each request that it takes from other nodes. */
public final class Actions {
    private static final List<String> PLUGINS = List.of(
        "transport.Netty4",
        "index.reindex.Reindex",
        "join.ParentJoin",
        "percolator.Percolator",
        "search.aggregations.matrix.MatrixAggregation",
        "script.mustache.Mustache",
        "index.rankeval.RankEval"
    );

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]).toAbsolutePath();
        Files.createDirectories(home.resolve("config"));
        Settings settings = Settings.builder()
            .put("cluster.name", "actions")
            .put("node.name", "actions")
            .put("path.home", home)
            .put("path.repo", home.resolve("repo"))
            .put("network.host", "127.0.0.1")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("transport.port", 0)
            .put("http.port", 0)
            .put("node.processors", 1)
            .put("discovery.type", "single-node")
            .build();
        try (Node node = node(new Environment(settings, home.resolve("config")), plugins())) {
            node.start();
            Transport.RequestHandlers handlers = handlers(node.injector().getInstance(TransportService.class));
            for (Field field : Transport.RequestHandlers.class.getDeclaredFields()) {
                field.setAccessible(true);
                if (field.get(handlers) instanceof Map<?, ?> byAction) {
                    for (Object action : new TreeSet<>(byAction.keySet())) {
                        System.out.println(Version.CURRENT + "\t" + action);
                    }
                }
            }
        }
        System.exit(0);
    }

    /** The constructor for tests: of classes up to 2.x, of their descriptions since 3.0. */
    private static Node node(Environment environment, List<Class<? extends Plugin>> plugins) throws Exception {
        Constructor<Node> constructor = Node.class.getDeclaredConstructor(Environment.class, Collection.class, boolean.class);
        constructor.setAccessible(true);
        if (Version.CURRENT.major < 3) {
            return constructor.newInstance(environment, plugins, false);
        }
        List<PluginInfo> described = new ArrayList<>();
        for (Class<?> plugin : plugins) {
            String name = plugin.getName();
            described.add(new PluginInfo(name, "", "NA", Version.CURRENT, "17", name, null, List.of(), false));
        }
        return constructor.newInstance(environment, described, false);
    }

    private static Transport.RequestHandlers handlers(TransportService service) throws Exception {
        Field transport = TransportService.class.getDeclaredField("transport");
        transport.setAccessible(true);
        return ((Transport) transport.get(service)).getRequestHandlers();
    }

    private static List<Class<? extends Plugin>> plugins() {
        List<Class<? extends Plugin>> found = new ArrayList<>();
        for (String name : PLUGINS) {
            for (String end : List.of("ModulePlugin", "Plugin")) {
                try {
                    found.add(Class.forName("org.opensearch." + name + end).asSubclass(Plugin.class));
                } catch (ClassNotFoundException e) {
                    // Named otherwise in this version, or its artifact is not there.
                }
            }
        }
        return found;
    }
}
