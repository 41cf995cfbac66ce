package api;

import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.opensearch.protobufs.BulkRequest;
import org.opensearch.protobufs.BulkResponse;
import org.opensearch.protobufs.CreatePITResponse;
import org.opensearch.protobufs.CreatePitRequest;
import org.opensearch.protobufs.Item;
import org.opensearch.protobufs.SearchRequest;
import org.opensearch.protobufs.SearchResponse;
import org.opensearch.protobufs.services.DocumentServiceGrpc;
import org.opensearch.protobufs.services.SearchServiceGrpc;

/** Bulk, searches, a point in time and a streamed search; each message is printed: type, bytes, SHA-256. */
public final class Conversation {
    private static final String[] WORDS = {"checkout", "payment", "cart", "login", "refund"};

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Server server = NettyServerBuilder.forPort(port).addService(new Documents()).addService(new Searches()).build().start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        DocumentServiceGrpc.newBlockingStub(channel).bulk(print(bulk()));
        var searches = SearchServiceGrpc.newBlockingStub(channel);
        searches.search(print(search("{\"match\":{\"field\":\"message\",\"query\":{\"string\":\"payment refused\"},\"operator\":\"OPERATOR_AND\"}}")));
        searches.search(print(search("{\"bool\":{\"filter\":[{\"term\":{\"field\":\"level\",\"value\":{\"string\":\"error\"}}},"
            + "{\"range\":{\"numberRangeQuery\":{\"field\":\"took\",\"gte\":120.5,\"lt\":9000}}}],\"mustNot\":[{\"exists\":{\"field\":\"retired\"}}]}}")));
        searches.search(print(search("{\"knn\":{\"field\":\"vector\",\"vector\":[0.25,-1.5,3.75,0.1],\"k\":10}}")));
        searches.createPit(print(read("{\"index\":[\"logs-2026\"],\"keepAlive\":\"5m\"}", CreatePitRequest.newBuilder()).build()));
        searches.serverStreamSearch(print(search("{\"matchAll\":{}}"))).forEachRemaining(response -> {});
        channel.shutdown().awaitTermination(5, java.util.concurrent.TimeUnit.SECONDS);
        server.shutdownNow();
    }

    private static BulkRequest bulk() throws Exception {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            String document = java.util.Base64.getEncoder().encodeToString(source(i).getBytes());
            String operation = switch (i % 3) {
                case 0 -> "\"index\":{\"xId\":\"doc-" + i + "\",\"xIndex\":\"logs-2026\",\"routing\":\"eu\"}";
                case 1 -> "\"create\":{\"xId\":\"doc-" + i + "\"}";
                default -> "\"update\":{\"xId\":\"doc-" + i + "\",\"retryOnConflict\":3}";
            };
            String content = i % 3 == 2 ? "\"updateAction\":{\"doc\":\"" + document + "\",\"docAsUpsert\":true}" : "\"object\":\"" + document + "\"";
            body.append(i == 0 ? "" : ",").append("{\"operationContainer\":{").append(operation).append("},").append(content).append('}');
        }
        return read("{\"index\":\"logs-2026\",\"refresh\":\"REFRESH_WAIT_FOR\",\"timeout\":\"30s\",\"bulkRequestBody\":[" + body + "]}", BulkRequest.newBuilder()).build();
    }

    private static String source(int i) {
        return "{\"service\":\"" + WORDS[i % 5] + "\",\"level\":\"" + (i % 2 == 0 ? "info" : "error") + "\",\"took\":" + (i * 137 + 11) + "}";
    }

    private static SearchRequest search(String query) throws Exception {
        return read("{\"index\":[\"logs-2026\"],\"searchType\":\"SEARCH_TYPE_QUERY_THEN_FETCH\",\"searchRequestBody\":{\"size\":5,\"trackTotalHits\":{\"enabled\":true},"
            + "\"version\":true,\"seqNoPrimaryTerm\":true,\"timeout\":\"2s\",\"query\":" + query + "}}", SearchRequest.newBuilder()).build();
    }

    private static SearchResponse found(int first, int count) throws Exception {
        StringBuilder hits = new StringBuilder();
        for (int i = first; i < first + count; i++) {
            String document = java.util.Base64.getEncoder().encodeToString(source(i).getBytes());
            hits.append(i == first ? "" : ",").append("{\"xIndex\":\"logs-2026\",\"xId\":\"doc-" + i + "\",\"xScore\":{\"double\":" + (1.5 / (i + 1)) + "},"
                + "\"xSource\":\"" + document + "\",\"xSeqNo\":\"" + (i * 100) + "\",\"xPrimaryTerm\":\"1\",\"xVersion\":\"" + (i + 1) + "\","
                + "\"sort\":[{\"generalNumber\":{\"int64Value\":\"" + (1795371655854L + i) + "\"}}],\"highlight\":{\"message\":{\"stringArray\":[\"<em>" + WORDS[i % 5] + "</em>\"]}}}");
        }
        return read("{\"took\":\"12\",\"xShards\":{\"total\":3,\"successful\":3,\"skipped\":0},\"hits\":{\"total\":{\"totalHits\":{\"relation\":\"TOTAL_HITS_RELATION_EQ\","
            + "\"value\":\"1234\"}},\"maxScore\":{\"float\":1.5},\"hits\":[" + hits + "]}}", SearchResponse.newBuilder()).build();
    }

    private static final class Documents extends DocumentServiceGrpc.DocumentServiceImplBase {
        @Override
        public void bulk(BulkRequest request, StreamObserver<BulkResponse> observer) {
            BulkResponse.Builder response = BulkResponse.newBuilder().setTook(31);
            for (int i = 0; i < request.getBulkRequestBodyCount(); i++) {
                String kind = new String[] {"index", "create", "update"}[i % 3];
                String outcome = i == 4
                    ? "\"status\":409,\"error\":{\"type\":\"version_conflict_engine_exception\",\"reason\":\"[doc-4]: document already exists\"}"
                    : "\"status\":201,\"result\":\"created\",\"xVersion\":\"1\",\"xSeqNo\":\"" + i + "\",\"xPrimaryTerm\":\"1\",\"xShards\":{\"total\":2,\"successful\":2,\"failed\":0}";
                try {
                    response.addItems(read("{\"" + kind + "\":{\"xIndex\":\"logs-2026\",\"xId\":\"doc-" + i + "\"," + outcome + "}}", Item.newBuilder()));
                } catch (Exception fault) {
                    throw new IllegalStateException(fault);
                }
            }
            observer.onNext(print(response.setErrors(true).build()));
            observer.onCompleted();
        }
    }

    private static final class Searches extends SearchServiceGrpc.SearchServiceImplBase {
        @Override
        public void search(SearchRequest request, StreamObserver<SearchResponse> observer) {
            answer(observer, 0, 5);
        }

        @Override
        public void serverStreamSearch(SearchRequest request, StreamObserver<SearchResponse> observer) {
            answer(observer, 10, 2, 2, 1);
        }

        @Override
        public void createPit(CreatePitRequest request, StreamObserver<CreatePITResponse> observer) {
            observer.onNext(print(CreatePITResponse.newBuilder().setPitId("46ToAwMDaWR5BXV1aWQy").setCreationTime(1795371655854L).build()));
            observer.onCompleted();
        }

        private static void answer(StreamObserver<SearchResponse> observer, int first, int... counts) {
            try {
                int from = first;
                for (int count : counts) {
                    observer.onNext(print(found(from, count)));
                    from += count;
                }
                observer.onCompleted();
            } catch (Exception fault) {
                observer.onError(fault);
            }
        }
    }

    private static <B extends Message.Builder> B read(String json, B into) throws Exception {
        JsonFormat.parser().merge(json, into);
        return into;
    }

    private static synchronized <M extends Message> M print(M message) {
        try {
            byte[] bytes = message.toByteArray();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            System.out.println(message.getDescriptorForType().getFullName() + " " + bytes.length + " " + HexFormat.of().formatHex(digest));
            return message;
        } catch (java.security.NoSuchAlgorithmException fault) {
            throw new IllegalStateException(fault);
        }
    }
}
