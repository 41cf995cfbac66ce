package truth;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MutableRecordBatch;
import org.apache.kafka.common.record.Record;

/**
 * java … truth.Main INSTANCES SEED: writes to standard output, a line each and parts apart by tabs,
 *   instance  request|response  name  class  version  hex  calls
 *   records   hex  values                                     what the library's own reader finds in them
 *   none      request|response  name  class  version  reason  where the library made none
 */
public final class Main {
    private static final int TRIALS = 200;
    private static final int MAX_BYTES = 600;

    public static void main(String[] args) throws Exception {
        int instances = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        for (ApiMessageType type : ApiMessageType.values()) {
            for (short version = type.lowestSupportedVersion(); version <= type.highestSupportedVersion(true); version++) {
                write(type, true, version, instances, seed, out);
                write(type, false, version, instances, seed, out);
            }
        }
        Filler filler = new Filler(new Random(seed), (short) 0);
        for (int i = 0; i < instances; i++) {
            MemoryRecords records = filler.records();
            byte[] bytes = new byte[records.sizeInBytes()];
            records.buffer().duplicate().get(bytes);
            out.println(String.join("\t", "records", HexFormat.of().formatHex(bytes), values(records)));
        }
        out.flush();
    }

    private static void write(ApiMessageType type, boolean isRequest, short version, int instances, long seed, PrintStream out) {
        String kind = isRequest ? "request" : "response";
        String name = (isRequest ? type.newRequest() : type.newResponse()).getClass().getSimpleName().replaceFirst("Data$", "");
        Random random = new Random(seed ^ name.hashCode() ^ version);
        Set<String> written = new HashSet<>();
        String reason = "";
        String className = "";
        for (int trial = 0; trial < TRIALS && written.size() < instances; trial++) {
            try {
                ApiMessage made = isRequest ? type.newRequest() : type.newResponse();
                className = made.getClass().getName();
                new Filler(random, version).fill(made);
                ObjectSerializationCache cache = new ObjectSerializationCache();
                made.size(cache, version);
                Traced traced = new Traced();
                made.write(traced, cache, version);
                String hex = HexFormat.of().formatHex(traced.written());
                if (traced.written().length > MAX_BYTES || written.add(hex) == false) {
                    continue;
                }
                out.println(String.join("\t", "instance", kind, name, className, Short.toString(version), hex, traced.calls()));
            } catch (Throwable e) {
                reason = String.valueOf(e).lines().findFirst().orElse("");
            }
        }
        if (written.isEmpty()) {
            out.println(String.join("\t", "none", kind, name, className, Short.toString(version), reason));
        }
    }

    private static String values(MemoryRecords records) {
        StringJoiner joiner = new StringJoiner(" ");
        for (MutableRecordBatch batch : records.batches()) {
            joiner.add("batch").add(Long.toString(batch.baseOffset())).add(Long.toString(batch.checksum()));
            joiner.add(Long.toString(batch.maxTimestamp())).add(Long.toString(batch.producerId()));
            if (batch.isCompressed()) {
                joiner.add("compressed");
                continue;
            }
            for (Record record : batch) {
                joiner.add("record").add(Long.toString(record.offset() - batch.baseOffset()));
                joiner.add(hex(record.key())).add(hex(record.value()));
                for (Header header : record.headers()) {
                    joiner.add("header").add(header.key().isEmpty() ? "-" : HexFormat.of().formatHex(header.key().getBytes(java.nio.charset.StandardCharsets.UTF_8)));
                    joiner.add(header.value() == null ? "null" : hex(ByteBuffer.wrap(header.value())));
                }
            }
        }
        return joiner.toString();
    }

    private static String hex(ByteBuffer bytes) {
        if (bytes == null) {
            return "null";
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy.length == 0 ? "-" : HexFormat.of().formatHex(copy);
    }
}
