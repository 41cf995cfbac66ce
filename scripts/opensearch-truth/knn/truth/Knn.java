package truth;
import java.net.InetAddress;
import java.util.*;
import org.opensearch.Version;
import org.opensearch.action.FailedNodeException;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.*;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.index.query.*;
import org.opensearch.knn.index.query.KNNQueryBuilder;
import org.opensearch.knn.index.query.rescore.RescoreContext;
import org.opensearch.knn.plugin.stats.StatNames;
import org.opensearch.knn.plugin.transport.*;
import org.opensearch.search.builder.SearchSourceBuilder;
/**
 * Searches with the query of the kNN plugin, and the messages of its statistics, as its library writes them: instance lines
 * of truth.Main. Its classpath is the jars of OpenSearch 2.19.1 and those in
 * org.opensearch.plugin:opensearch-knn:2.19.1.0:zip of Maven.
 */
public final class Knn {
    static void line(String category, String name, Writeable w) throws Exception {
        TracedOutput t = new TracedOutput(Version.CURRENT);
        w.writeTo(t);
        System.out.println(String.join("\t", "instance", category, name, w.getClass().getName(), Version.CURRENT.toString(), HexFormat.of().formatHex(t.written()), t.calls()));
    }
    static void one(KNNQueryBuilder.Builder b) throws Exception {
        line("part", "SearchSource", new SearchSourceBuilder().query(b.build()).size(7).trackScores(true));
    }
    static void message(Writeable w) throws Exception {
        line("message", w.getClass().getSimpleName(), w);
    }
    static Map<String, Object> values(Random r, int count) {
        List<String> names = new ArrayList<>(new TreeSet<>(StatNames.getNames()));
        Collections.shuffle(names, r);
        Map<String, Object> m = r.nextBoolean() ? new HashMap<>() : new LinkedHashMap<>();
        for (String name : names.subList(0, count)) {
            m.put(name, switch (r.nextInt(6)) {
                case 0 -> r.nextLong();
                case 1 -> r.nextInt();
                case 2 -> r.nextBoolean();
                case 3 -> r.nextDouble();
                case 4 -> Map.of("index-" + r.nextInt(9), Map.of("graph_memory_usage", r.nextFloat()));
                default -> "GREEN";
            });
        }
        return m;
    }
    static DiscoveryNode node(Random r) throws Exception {
        byte[] address = new byte[r.nextBoolean() ? 4 : 16];
        r.nextBytes(address);
        return new DiscoveryNode("node-" + r.nextInt(9), "id-" + r.nextInt(), new TransportAddress(InetAddress.getByAddress(address), 9300 + r.nextInt(9)), Map.of("zone", "z" + r.nextInt(9)), r.nextBoolean() ? DiscoveryNodeRole.BUILT_IN_ROLES : Set.of(DiscoveryNodeRole.DATA_ROLE), Version.CURRENT);
    }
    static KNNStatsRequest request(Random r) {
        KNNStatsRequest q = r.nextBoolean() ? new KNNStatsRequest() : new KNNStatsRequest("node-" + r.nextInt(9), "_local");
        if (r.nextInt(4) == 0) q.all();
        else for (String name : StatNames.getNames()) if (r.nextInt(5) == 0) q.addStat(name);
        if (r.nextBoolean()) q.timeout((1 + r.nextInt(90)) + "s");
        return q;
    }
    public static void main(String[] a) throws Exception {
        float[] v = {1.5f, -2f, 0.25f};
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).k(5));
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).k(5).filter(new TermQueryBuilder("kind", "a")).ignoreUnmapped(true).methodParameters(Map.of("ef_search", 50)).expandNested(true).boost(2f).queryName("near"));
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).k(5).methodParameters(Map.of("nprobes", 3)).rescoreContext(RescoreContext.builder().oversampleFactor(3f).build()).expandNested(false));
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).maxDistance(6f));
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).minScore(0.4f).filter(new MatchAllQueryBuilder()));
        Random r = new Random(17);
        for (int i = 0; i < 20; i++) {
            message(request(r));
            message(new KNNStatsNodeRequest(request(r)));
            message(new KNNStatsNodeResponse(node(r), values(r, r.nextInt(30))));
            List<KNNStatsNodeResponse> nodes = new ArrayList<>();
            for (int n = r.nextInt(3); n > 0; n--) nodes.add(new KNNStatsNodeResponse(node(r), values(r, r.nextInt(5))));
            List<FailedNodeException> failures = new ArrayList<>();
            if (r.nextInt(3) == 0) failures.add(new FailedNodeException("id-" + r.nextInt(), "failed", new IllegalStateException("closed")));
            message(new KNNStatsResponse(new ClusterName("c" + r.nextInt(9)), nodes, failures, values(r, r.nextInt(4))));
        }
    }
}
