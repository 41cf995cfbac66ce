package truth;
import java.net.InetAddress;
import java.util.*;
import org.opensearch.Version;
import org.opensearch.action.FailedNodeException;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.*;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.index.query.*;
import org.opensearch.knn.index.SpaceType;
import org.opensearch.knn.index.VectorDataType;
import org.opensearch.knn.index.engine.*;
import org.opensearch.knn.index.mapper.*;
import org.opensearch.knn.index.query.KNNQueryBuilder;
import org.opensearch.knn.index.query.rescore.RescoreContext;
import org.opensearch.knn.indices.*;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.knn.plugin.stats.StatNames;
import org.opensearch.knn.plugin.transport.*;
import org.opensearch.search.builder.SearchSourceBuilder;
/**
 * Searches with the query of the kNN plugin, its messages, and all named writeables that it registers, as its library
 * writes them: instance lines of truth.Main; and for each action that it registers, a line with its release and name,
 * apart by a tab. Its classpath is the jars of OpenSearch 2.19.1, 3.3.0 or 3.5.0, and those in
 * org.opensearch.plugin:opensearch-knn of Maven, a zip of 2.19.1.0, 3.3.0.0 or 3.5.0.0; the later two need Guava, too.
 */
public final class Knn {
    static void one(KNNQueryBuilder.Builder b) throws Exception {
        Registered.line("part", "SearchSource", new SearchSourceBuilder().query(b.build()).size(7).trackScores(true));
    }
    static void message(Writeable w) throws Exception {
        Registered.line("message", w.getClass().getSimpleName(), w);
    }
    static String word(Random r) {
        return "word".repeat(r.nextInt(4)) + r.nextInt(1000);
    }
    static String wordOrNone(Random r) {
        return r.nextBoolean() ? null : word(r);
    }
    static <T> T of(Random r, T[] values) {
        return values[r.nextInt(values.length)];
    }
    static MethodComponentContext component(Random r, int depth) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (int n = r.nextInt(4); n > 0; n--) parameters.put("p" + n, switch (r.nextInt(depth > 2 ? 3 : 4)) {
            case 0 -> r.nextInt();
            case 1 -> "flat";
            case 2 -> r.nextDouble();
            default -> component(r, depth + 1);
        });
        return new MethodComponentContext(of(r, new String[] {"hnsw", "ivf", "pq"}), parameters);
    }
    static ModelMetadata metadata(Random r) {
        return new ModelMetadata(of(r, new KNNEngine[] {KNNEngine.FAISS, KNNEngine.LUCENE}), of(r, new SpaceType[] {SpaceType.L2, SpaceType.INNER_PRODUCT}), 1 + r.nextInt(999), of(r, ModelState.values()), "2026-11-" + (1 + r.nextInt(29)), word(r), word(r), word(r), component(r, 0), of(r, new VectorDataType[] {VectorDataType.FLOAT, VectorDataType.BYTE}), of(r, Mode.values()), of(r, CompressionLevel.values()), Version.CURRENT);
    }
    /** Its last argument is new in 3.2. */
    static TrainingModelRequest training(Random r) throws Exception {
        List<Object> values = new ArrayList<>(Arrays.asList(wordOrNone(r), new KNNMethodContext(KNNEngine.FAISS, SpaceType.L2, component(r, 0)), 1 + r.nextInt(999), word(r), word(r), wordOrNone(r), wordOrNone(r), VectorDataType.FLOAT, of(r, Mode.values()), of(r, new CompressionLevel[] {CompressionLevel.NOT_CONFIGURED, CompressionLevel.x8, CompressionLevel.x16}), SpaceType.L2, KNNEngine.FAISS));
        var constructor = Arrays.stream(TrainingModelRequest.class.getConstructors()).filter(one -> one.getParameterCount() > 2).findFirst().get();
        TrainingModelRequest q = (TrainingModelRequest) constructor.newInstance(values.subList(0, constructor.getParameterCount()).toArray());
        q.setMaximumVectorCount(r.nextInt(9999) + 1);
        q.setSearchSize(1 + r.nextInt(9999));
        return q;
    }
    static void models(Random r) throws Exception {
        message(training(r));
        message(new TrainingModelResponse(wordOrNone(r)));
        message(new GetModelRequest(word(r)));
        ModelMetadata metadata = metadata(r);
        byte[] blob = new byte[1 + r.nextInt(300)];
        r.nextBytes(blob);
        message(new GetModelResponse(new Model(metadata, metadata.getState() == ModelState.CREATED ? blob : null, word(r))));
        message(new DeleteModelRequest(word(r)));
        message(new DeleteModelResponse(word(r), word(r), wordOrNone(r)));
        boolean isRemoved = r.nextBoolean();
        message(new UpdateModelMetadataRequest(word(r), isRemoved, isRemoved ? null : metadata(r)));
        message(new UpdateModelGraveyardRequest(word(r), r.nextBoolean()));
        message(new RemoveModelFromCacheRequest(word(r), "node-" + r.nextInt(9)));
        message(new RemoveModelFromCacheNodeRequest(word(r)));
        message(new RemoveModelFromCacheNodeResponse(node(r)));
        message(new RemoveModelFromCacheResponse(new ClusterName(word(r)), List.of(new RemoveModelFromCacheNodeResponse(node(r))), List.of()));
        Registered.line("message", "NodesRequest", new TrainingJobRouteDecisionInfoRequest("node-" + r.nextInt(9)));
        message(new TrainingJobRouteDecisionInfoNodeRequest());
        TrainingJobRouteDecisionInfoNodeResponse jobs = new TrainingJobRouteDecisionInfoNodeResponse(node(r), r.nextInt(99));
        message(jobs);
        message(new TrainingJobRouteDecisionInfoResponse(new ClusterName(word(r)), List.of(jobs), List.of()));
        Registered.line("message", "BroadcastRequest", new KNNWarmupRequest(word(r), word(r)));
        Registered.line("message", "BroadcastResponse", new KNNWarmupResponse(r.nextInt(99), r.nextInt(99), 0, List.of()));
        Registered.line("message", "BroadcastRequest", new ClearCacheRequest(word(r)));
    }
    static ClusterState state(Random r, ClusterState before) {
        Metadata.Builder metadata = Metadata.builder(before.metadata()).version(r.nextInt(99));
        Set<String> models = new HashSet<>();
        for (int n = r.nextInt(4); n > 0; n--) models.add(word(r));
        if (r.nextInt(4) > 0) metadata.putCustom(ModelGraveyard.TYPE, new ModelGraveyard(models));
        else metadata.removeCustom(ModelGraveyard.TYPE);
        return ClusterState.builder(before).metadata(metadata).incrementVersion().build();
    }
    /** Cluster states whose metadata has the list of models that are being deleted, and the diffs between them. */
    static void states(Random r) throws Exception {
        ClusterState before = state(r, ClusterState.EMPTY_STATE);
        for (int i = 0; i < 20; i++) {
            ClusterState after = state(r, before);
            Registered.line("part", "ClusterState", after);
            Registered.line("part", "ClusterStateDiff", after.diff(before));
            before = after;
        }
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
        KNNPlugin plugin = new KNNPlugin();
        for (var handler : plugin.getActions()) System.out.println("kNN " + Version.CURRENT + "\t" + handler.getAction().name());
        Registered.print(plugin, new Random(18));
        states(new Random(19));
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
            models(r);
        }
    }
}
