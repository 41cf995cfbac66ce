package truth;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.SimpleRecord;

/** Random contents for the fields that a version of a message has. */
final class Filler {
    private final Random random;
    private final short version;

    Filler(Random random, short version) {
        this.random = random;
        this.version = version;
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    void fill(Object data) throws ReflectiveOperationException {
        Schema schema = ((Schema[]) data.getClass().getField("SCHEMAS").get(null))[version];
        Map<String, org.apache.kafka.common.protocol.types.Type> known = new HashMap<>();
        boolean flexible = false;
        for (BoundField bound : schema.fields()) {
            if (bound.def.type instanceof TaggedFields tagged) {
                flexible = true;
                for (Object field : fieldsOf(tagged)) {
                    var one = (org.apache.kafka.common.protocol.types.Field) field;
                    known.put(plain(one.name), one.type);
                }
            } else {
                known.put(plain(bound.def.name), bound.def.type);
            }
        }
        for (Field field : data.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || known.containsKey(plain(field.getName())) == false) {
                continue;
            }
            field.setAccessible(true);
            if (known.get(plain(field.getName())).isNullable() && random.nextInt(4) == 0) {
                field.set(data, null);
            } else {
                Object value = value(field.getType(), field.getGenericType());
                if (value != null) {
                    field.set(data, value);
                }
            }
        }
        if (flexible && random.nextInt(5) == 0) {
            unknown(data);
        }
    }

    /** Not public in every version. */
    private static Collection<?> fieldsOf(TaggedFields tagged) throws ReflectiveOperationException {
        Field fields = TaggedFields.class.getDeclaredField("fields");
        fields.setAccessible(true);
        return ((Map<?, ?>) fields.get(tagged)).values();
    }

    @SuppressWarnings("unchecked")
    private void unknown(Object data) throws ReflectiveOperationException {
        List<RawTaggedField> fields = (List<RawTaggedField>) data.getClass().getMethod("unknownTaggedFields").invoke(data);
        fields.add(new RawTaggedField(100 + random.nextInt(200), text().getBytes(StandardCharsets.UTF_8)));
    }

    private Object value(Class<?> type, Type generic) throws ReflectiveOperationException {
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == byte.class || type == Byte.class) {
            return (byte) number();
        }
        if (type == short.class || type == Short.class) {
            return (short) number();
        }
        if (type == int.class || type == Integer.class) {
            // A uint16 is an int to the library, and nothing but its range says so.
            return generic == Integer.class ? (int) number() : Math.floorMod((int) number(), 65536);
        }
        if (type == long.class || type == Long.class) {
            return number();
        }
        if (type == double.class) {
            return random.nextGaussian();
        }
        if (type == String.class) {
            return text();
        }
        if (type == Uuid.class) {
            return new Uuid(random.nextLong(), random.nextLong());
        }
        if (type == byte[].class) {
            return text().getBytes(StandardCharsets.UTF_8);
        }
        if (type == ByteBuffer.class) {
            return ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8));
        }
        if (type.getSimpleName().equals("BaseRecords")) {
            return records();
        }
        if (Collection.class.isAssignableFrom(type)) {
            return collection(type, generic);
        }
        Object struct = type.getDeclaredConstructor().newInstance();
        fill(struct);
        return struct;
    }

    @SuppressWarnings("unchecked")
    private Object collection(Class<?> type, Type generic) throws ReflectiveOperationException {
        boolean isList = type == List.class;
        Type of = isList ? generic : type.getGenericSuperclass();
        Class<?> element = (Class<?>) ((ParameterizedType) of).getActualTypeArguments()[0];
        Collection<Object> values = isList ? new ArrayList<>() : (Collection<Object>) type.getDeclaredConstructor().newInstance();
        for (int i = random.nextInt(3); i > 0; i--) {
            values.add(value(element, element));
        }
        return values;
    }

    private long number() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3) - 1;
            case 1 -> random.nextInt(1000);
            default -> random.nextLong() >> random.nextInt(60);
        };
    }

    String text() {
        String[] letters = {"a", "topic", "é", "消", "🔥", "-7", ""};
        StringBuilder made = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            made.append(letters[random.nextInt(letters.length)]);
        }
        return random.nextInt(40) == 0 ? "x".repeat(130) : made.toString();
    }

    MemoryRecords records() {
        SimpleRecord[] records = new SimpleRecord[1 + random.nextInt(3)];
        for (int i = 0; i < records.length; i++) {
            Header[] headers = new Header[random.nextInt(3)];
            for (int j = 0; j < headers.length; j++) {
                headers[j] = new RecordHeader(text(), bytes());
            }
            records[i] = new SimpleRecord(1_700_000_000_000L + random.nextInt(100_000), bytes(), bytes(), headers);
        }
        Compression codec = random.nextInt(4) == 0 ? Compression.gzip().build() : Compression.NONE;
        return MemoryRecords.withRecords(RecordBatch.MAGIC_VALUE_V2, random.nextInt(1000), codec, records);
    }

    private byte[] bytes() {
        return random.nextInt(4) == 0 ? null : text().getBytes(StandardCharsets.UTF_8);
    }
}
