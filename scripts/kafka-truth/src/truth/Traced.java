package truth;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.record.BaseRecords;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.utils.ByteUtils;

/** Where the library's own writing ends up. Every call that writes a value is noted: one letter, and the bytes it took. */
final class Traced implements Writable {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final StringBuilder calls = new StringBuilder();

    private interface Call {
        void run() throws IOException;
    }

    byte[] written() {
        return bytes.toByteArray();
    }

    String calls() {
        return calls.toString().trim();
    }

    private void note(char letter, Call call) {
        int at = out.size();
        try {
            call.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int length = out.size() - at;
        calls.append(letter).append(length == 1 ? "" : Integer.toString(length)).append(' ');
    }

    @Override
    public void writeByte(byte v) {
        note('b', () -> out.writeByte(v));
    }

    @Override
    public void writeShort(short v) {
        note('h', () -> out.writeShort(v));
    }

    @Override
    public void writeUnsignedShort(int v) {
        note('H', () -> out.writeShort(v));
    }

    @Override
    public void writeInt(int v) {
        note('i', () -> out.writeInt(v));
    }

    @Override
    public void writeLong(long v) {
        note('l', () -> out.writeLong(v));
    }

    @Override
    public void writeDouble(double v) {
        note('d', () -> out.writeDouble(v));
    }

    @Override
    public void writeByteArray(byte[] v) {
        note('B', () -> out.write(v));
    }

    @Override
    public void writeByteBuffer(ByteBuffer v) {
        byte[] copy = new byte[v.remaining()];
        v.duplicate().get(copy);
        note('B', () -> out.write(copy));
    }

    @Override
    public void writeUuid(Uuid v) {
        note('B', () -> {
            out.writeLong(v.getMostSignificantBits());
            out.writeLong(v.getLeastSignificantBits());
        });
    }

    @Override
    public void writeRecords(BaseRecords v) {
        ByteBuffer buffer = ((MemoryRecords) v).buffer();
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        note('R', () -> out.write(copy));
    }

    @Override
    public void writeUnsignedVarint(int v) {
        note('v', () -> ByteUtils.writeUnsignedVarint(v, out));
    }

    @Override
    public void writeVarint(int v) {
        note('z', () -> ByteUtils.writeVarint(v, out));
    }

    @Override
    public void writeVarlong(long v) {
        note('z', () -> ByteUtils.writeVarlong(v, out));
    }
}
