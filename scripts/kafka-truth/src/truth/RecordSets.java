package truth;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.SimpleRecord;

/** Writes a line for each format of records and each compression: magic, compression, the set as hex. Record n has the key "key n" and n times "value n, ". */
public final class RecordSets {
    private static final int RECORDS = 40;

    public static void main(String[] args) {
        SimpleRecord[] records = new SimpleRecord[RECORDS];
        for (int n = 0; n < RECORDS; n++) {
            records[n] = new SimpleRecord(1_700_000_000_000L + n, ("key " + n).getBytes(), ("value " + n + ", ").repeat(n).getBytes());
        }
        for (byte magic = 0; magic <= 2; magic++) {
            for (CompressionType type : CompressionType.values()) {
                if (type == CompressionType.ZSTD && magic < 2) {
                    continue;
                }
                MemoryRecords written = MemoryRecords.withRecords(magic, Compression.of(type).build(), records);
                ByteBuffer buffer = written.buffer();
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                System.out.println(magic + "\t" + type.name + "\t" + HexFormat.of().formatHex(bytes));
            }
        }
    }
}
