package truth;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.HdrHistogram.DoubleHistogram;
import org.apache.lucene.util.BytesRef;
import org.opensearch.Version;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.NamedWriteable;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.text.Text;
import org.opensearch.search.aggregations.InternalAggregations;

/**
 * A stream without bytes: whatever a constructor reads from it is random. So every class of the library makes instances
 * of itself by its own reader, and none needs a builder here. What its checks refuse is tried again with other numbers.
 */
final class RandomInput extends StreamInput {
    private static final int MAX_READS = 800;
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final String[] TEXTS = {
        "UTC", "Europe/Paris", "1d", "field", "name", "_doc", "yyyy-MM-dd", "AUTO", "asc", "true", "point", "linestring", "polygon",
        "strict_date_optional_time", "epoch_millis", "intersects", "en", "0", "2.19.2", "", "h\u00f6her \ud83d\ude00", "painless",
        "gqMUVXYJSHGq-vfKnNa6Zw", "index-1", "query", "mode_1", "monitor_only", "disabled", "127.0.0.1", "cpu", "data", "d", "1",
        "node", "all", "ip", "keyword", "primaries", "envelope", "multipoint", "geometrycollection", "circle", "file.cfs", "9.12.0",
        "application/json",
    };

    final Random random;
    private final Map<Class<?>, List<NamedWriteableRegistry.Entry>> entries;
    private final Words words;
    private int depth;
    private int reads;
    /** What the next reads of bytes return. */
    private byte[] prepared = new byte[0];
    /** Keys and values that the next reads of strings and values return: an index needs some settings. */
    private final Deque<String> settings = new ArrayDeque<>();

    RandomInput(Random random, Version version, Map<Class<?>, List<NamedWriteableRegistry.Entry>> entries, Words words) {
        this.random = random;
        this.entries = entries;
        this.words = words;
        setVersion(version);
    }

    private int below(int limit) {
        if (++reads > MAX_READS) {
            throw new IllegalStateException("too large");
        }
        return random.nextInt(limit);
    }

    /** What reads a value, where that decides which values it takes. */
    private static String caller() {
        return WALKER.walk(frames -> {
            Iterator<StackWalker.StackFrame> callers = frames.iterator();
            for (int i = 0; i < 5 && callers.hasNext(); i++) {
                StackWalker.StackFrame frame = callers.next();
                switch (frame.getMethodName()) {
                    case "readBoolean", "readOptionalDouble", "readOptionalInstant":
                        return "readBoolean";
                    case "readOptionalBoolean", "readVersion":
                        return frame.getMethodName();
                    case "readSettingsFromStream":
                        String reader = callers.hasNext() ? callers.next().getClassName() : "";
                        return reader.contains("IndexMetadata") ? "settings of an index" : "";
                }
                if (i < 4 && frame.getClassName().contains("TransportAddress")) {
                    return "TransportAddress";
                }
                if (i < 4 && frame.getClassName().contains("HDRPercentile")) {
                    return "HDRPercentile";
                }
            }
            return "";
        });
    }

    @Override
    public byte readByte() {
        switch (caller()) {
            case "readBoolean":
                return (byte) below(2);
            case "readOptionalBoolean":
                return (byte) below(3);
            case "TransportAddress":
                return (byte) (below(3) == 0 ? 16 : 4);
        }
        return (byte) (below(12) == 0 ? below(256) : below(5) - (below(6) == 0 ? 1 : 0));
    }

    @Override
    public void readBytes(byte[] b, int offset, int length) {
        for (int i = 0; i < length; i++) {
            b[offset + i] = i < prepared.length ? prepared[i] : (byte) random.nextInt(256);
        }
        prepared = new byte[0];
    }

    @Override
    public int readVInt() {
        switch (caller()) {
            case "readVersion":
                return getVersion().id;
            case "HDRPercentile":
                prepared = histogram();
                return prepared.length;
            case "settings of an index":
                settings.clear();
                settings.addAll(
                    List.of(
                        "index.number_of_shards",
                        String.valueOf(1 + below(3)),
                        "index.number_of_replicas",
                        String.valueOf(below(2)),
                        "index.version.created",
                        String.valueOf(getVersion().id),
                        "index.uuid",
                        "gqMUVXYJSHGq-vfKnNa6Zw"
                    )
                );
                return settings.size() / 2;
        }
        int kind = below(40);
        if (kind == 0) {
            return random.nextInt() >>> 1 + random.nextInt(30);
        }
        return kind < 30 ? below(3) : below(9);
    }

    @Override
    public int readInt() {
        if (caller().equals("TransportAddress")) {
            return below(65536);
        }
        int kind = below(8);
        return kind == 0 ? random.nextInt() : kind == 1 ? -1 : below(5);
    }

    @Override
    public short readShort() {
        return (short) random.nextInt();
    }

    @Override
    public long readVLong() {
        return below(4) == 0 ? random.nextLong() >>> 1 + random.nextInt(60) : below(300);
    }

    @Override
    public long readZLong() {
        return below(4) == 0 ? random.nextLong() >> random.nextInt(60) : below(8) - 2;
    }

    @Override
    public long readLong() {
        return switch (below(6)) {
            case 0 -> random.nextLong();
            case 1 -> -1;
            case 2 -> Double.doubleToRawLongBits(random.nextDouble());
            case 3 -> 1_700_000_000_000L + below(1_000_000);
            default -> below(50);
        };
    }

    @Override
    public String readString() {
        if (settings.isEmpty() == false) {
            return settings.remove();
        }
        return words.isEmpty() || below(2) == 0 ? TEXTS[below(TEXTS.length)] : words.get(below(words.size()));
    }

    private byte[] histogram() {
        DoubleHistogram histogram = new DoubleHistogram(2);
        for (int i = below(5); i > 0; i--) {
            histogram.recordValue(1 + below(100));
        }
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        histogram.encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = new byte[buffer.position()];
        buffer.flip();
        buffer.get(bytes);
        return bytes;
    }

    @Override
    public String readOptionalString() {
        return below(2) == 0 ? null : readString();
    }

    @Override
    public Text readText() {
        return new Text(readString());
    }

    @Override
    public Text readOptionalText() {
        return below(2) == 0 ? null : readText();
    }

    @Override
    public BigInteger readBigInteger() {
        return new BigInteger(64, random);
    }

    @Override
    public BytesRef readBytesRef() {
        return new BytesRef(readString());
    }

    @Override
    public byte[] readByteArray() {
        byte[] bytes = new byte[below(10)];
        random.nextBytes(bytes);
        return bytes;
    }

    @Override
    public BytesReference readBytesReference() throws IOException {
        // Aggregations travel in a blob that is read later.
        boolean isDelayed = WALKER.walk(frames -> frames.limit(4).anyMatch(frame -> frame.getClassName().contains("DelayableWriteable")));
        if (isDelayed) {
            try (BytesStreamOutput out = new BytesStreamOutput()) {
                out.setVersion(getVersion());
                InternalAggregations.readFrom(this).writeTo(out);
                return new BytesArray(BytesReference.toBytes(out.bytes()));
            }
        }
        return new BytesArray("{\"" + readString() + "\":" + below(1000) + "}");
    }

    @Override
    public BytesReference readOptionalBytesReference() throws IOException {
        return below(2) == 0 ? null : readBytesReference();
    }

    @Override
    public Map<String, Object> readMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = below(3); i > 0; i--) {
            map.put(readString(), readGenericValue());
        }
        return map;
    }

    @Override
    public Object readGenericValue() {
        if (settings.isEmpty() == false) {
            return settings.remove();
        }
        depth++;
        try {
            return switch (below(depth > 4 ? 7 : 10)) {
                case 0 -> readString();
                case 1 -> readInt();
                case 2 -> readLong();
                case 3 -> random.nextFloat();
                case 4 -> random.nextDouble();
                case 5 -> below(2) == 0;
                case 6 -> below(2) == 0 ? null : new BytesRef(readString());
                case 7 -> readMap();
                case 8 -> {
                    List<Object> list = new ArrayList<>();
                    for (int i = below(3); i > 0; i--) {
                        list.add(readGenericValue());
                    }
                    yield list;
                }
                default -> List.of(readString(), readString());
            };
        } finally {
            depth--;
        }
    }

    @Override
    public NamedWriteableRegistry namedWriteableRegistry() {
        List<NamedWriteableRegistry.Entry> all = new ArrayList<>();
        entries.values().forEach(all::addAll);
        return new NamedWriteableRegistry(all);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <C extends NamedWriteable> C readNamedWriteable(Class<C> category) throws IOException {
        List<NamedWriteableRegistry.Entry> known = entries.get(category);
        if (known == null) {
            throw new IllegalStateException("no entries of " + category);
        }
        if (++depth > 12) {
            throw new IllegalStateException("too deep");
        }
        try {
            return (C) known.get(below(known.size())).reader.read(this);
        } finally {
            depth--;
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <C extends NamedWriteable> C readNamedWriteable(Class<C> category, String name) throws IOException {
        for (NamedWriteableRegistry.Entry entry : entries.getOrDefault(category, List.of())) {
            if (entry.name.equals(name)) {
                return (C) entry.reader.read(this);
            }
        }
        throw new IllegalStateException("no entry " + name);
    }

    @Override
    public <C extends NamedWriteable> C readOptionalNamedWriteable(Class<C> category) throws IOException {
        return below(3) > 0 ? null : readNamedWriteable(category);
    }

    @Override
    public int read() {
        return readByte() & 255;
    }

    @Override
    public int read(byte[] b, int offset, int length) {
        readBytes(b, offset, length);
        return length;
    }

    @Override
    public void close() {}

    @Override
    public int available() {
        return 0;
    }

    @Override
    protected void ensureCanReadBytes(int length) {}
}
