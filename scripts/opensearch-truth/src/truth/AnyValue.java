package truth;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.apache.lucene.util.BytesRef;
import org.joda.time.DateTime;
import org.opensearch.common.geo.GeoPoint;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.common.text.Text;

/** A value of every type that StreamOutput.writeGenericValue takes, alone and in lists, sets and maps. */
final class AnyValue implements Writeable {
    private static final String[] ZONES = { "UTC", "Europe/Paris", "+05:30" };
    private static final int MAX_DEPTH = 3;

    private final Object value;

    private AnyValue(Object value) {
        this.value = value;
    }

    static AnyValue read(StreamInput in) throws IOException {
        return new AnyValue(in instanceof RandomInput random ? any(random.random, 0) : in.readGenericValue());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeGenericValue(value);
    }

    private static Object any(Random random, int depth) {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        String text = "höher".substring(random.nextInt(6)) + random.nextInt(100);
        long millis = 1_790_000_000_000L + random.nextInt();
        return switch (random.nextInt(depth < MAX_DEPTH ? 29 : 22)) {
            case 0 -> text;
            case 1 -> random.nextInt();
            case 2 -> random.nextLong();
            case 3 -> random.nextFloat();
            case 4 -> random.nextDouble();
            case 5 -> random.nextBoolean();
            case 6 -> bytes;
            case 7 -> (byte) random.nextInt();
            case 8 -> new Date(millis);
            case 9 -> new DateTime(millis);
            case 10 -> new BytesArray(bytes);
            case 11 -> new Text(text);
            case 12 -> (short) random.nextInt();
            case 13 -> random.ints(random.nextInt(3)).toArray();
            case 14 -> random.longs(random.nextInt(3)).toArray();
            case 15 -> new float[] { random.nextFloat(), -1 };
            case 16 -> random.doubles(random.nextInt(3)).toArray();
            case 17 -> new BytesRef(bytes);
            case 18 -> new GeoPoint(random.nextInt(90), random.nextInt(180) - 0.5);
            case 19 -> Instant.ofEpochMilli(millis).atZone(ZoneId.of(ZONES[random.nextInt(ZONES.length)]));
            case 20 -> new BigInteger(80, random);
            case 21 -> semverRange("^" + random.nextInt(9) + ".2." + random.nextInt(9));
            case 22 -> null;
            case 23 -> list(random, depth);
            case 24 -> list(random, depth).toArray();
            case 25 -> new LinkedHashSet<>(list(random, depth));
            case 26 -> new HashSet<>(list(random, depth));
            case 27 -> entries(random, depth, new LinkedHashMap<>());
            default -> entries(random, depth, new HashMap<>());
        };
    }

    private static List<Object> list(Random random, int depth) {
        List<Object> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.add(any(random, depth + 1));
        }
        return values;
    }

    private static Map<String, Object> entries(Random random, int depth, Map<String, Object> map) {
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put("key" + random.nextInt(1000), any(random, depth + 1));
        }
        return map;
    }

    /** The first versions have none. */
    private static Object semverRange(String range) {
        try {
            return Class.forName("org.opensearch.semver.SemverRange").getMethod("fromString", String.class).invoke(null, range);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
