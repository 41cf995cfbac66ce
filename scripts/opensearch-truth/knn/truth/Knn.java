package truth;
import java.util.*;
import org.opensearch.Version;
import org.opensearch.index.query.*;
import org.opensearch.knn.index.query.KNNQueryBuilder;
import org.opensearch.knn.index.query.rescore.RescoreContext;
import org.opensearch.search.builder.SearchSourceBuilder;
public final class Knn {

/**
 * Searches with the query of the kNN plugin, as its library writes them: instance lines of truth.Main. Its classpath is the
 * jars of OpenSearch 2.19.1 and those in org.opensearch.plugin:opensearch-knn:2.19.1.0:zip of Maven.
 */
    static void one(KNNQueryBuilder.Builder b) throws Exception {
        TracedOutput t = new TracedOutput(Version.CURRENT);
        SearchSourceBuilder s = new SearchSourceBuilder().query(b.build()).size(7).trackScores(true);
        s.writeTo(t);
        System.out.println(String.join("\t", "instance", "part", "SearchSource", s.getClass().getName(), Version.CURRENT.toString(), HexFormat.of().formatHex(t.written()), t.calls()));
    }
    public static void main(String[] a) throws Exception {
        float[] v = {1.5f, -2f, 0.25f};
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).k(5));
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).k(5).filter(new TermQueryBuilder("kind", "a")).ignoreUnmapped(true).methodParameters(Map.of("ef_search", 50)).expandNested(true).boost(2f).queryName("near"));
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).k(5).methodParameters(Map.of("nprobes", 3)).rescoreContext(RescoreContext.builder().oversampleFactor(3f).build()).expandNested(false));
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).maxDistance(6f));
        one(KNNQueryBuilder.builder().fieldName("v").vector(v).minScore(0.4f).filter(new MatchAllQueryBuilder()));
    }
}
