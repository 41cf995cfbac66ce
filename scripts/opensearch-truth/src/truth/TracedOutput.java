package truth;

import java.io.IOException;

import org.apache.lucene.util.BytesRef;
import org.opensearch.Version;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.text.Text;

/** The library's own StreamOutput. Every call that writes a value is noted: one letter, and the bytes it took. */
final class TracedOutput extends StreamOutput {
    private interface Call {
        void run() throws IOException;
    }

    private final BytesStreamOutput bytes = new BytesStreamOutput();
    private final StringBuilder calls = new StringBuilder();
    private boolean inCall;

    TracedOutput(Version version) {
        setVersion(version);
        bytes.setVersion(version);
    }

    String calls() {
        return calls.toString().trim();
    }

    byte[] written() {
        return BytesReference.toBytes(bytes.bytes());
    }

    private void note(char letter, Call call) throws IOException {
        if (inCall) {
            call.run();
            return;
        }
        inCall = true;
        long at = bytes.position();
        try {
            call.run();
        } finally {
            inCall = false;
        }
        long length = bytes.position() - at;
        calls.append(letter).append(length == 1 ? "" : Long.toString(length)).append(' ');
    }

    @Override
    public void writeByte(byte b) throws IOException {
        note('b', () -> bytes.writeByte(b));
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) throws IOException {
        note('B', () -> bytes.writeBytes(b, offset, length));
    }

    @Override
    public void writeByteArray(byte[] b) throws IOException {
        note('A', () -> super.writeByteArray(b));
    }

    @Override
    public void writeBytesReference(BytesReference b) throws IOException {
        note('A', () -> super.writeBytesReference(b));
    }

    @Override
    public void writeOptionalBytesReference(BytesReference b) throws IOException {
        note('O', () -> super.writeOptionalBytesReference(b));
    }

    @Override
    public void writeBytesRef(BytesRef b) throws IOException {
        note('A', () -> super.writeBytesRef(b));
    }

    @Override
    public void writeInt(int i) throws IOException {
        note('i', () -> super.writeInt(i));
    }

    @Override
    public void writeVInt(int i) throws IOException {
        note('v', () -> super.writeVInt(i));
    }

    @Override
    public void writeLong(long i) throws IOException {
        note('l', () -> super.writeLong(i));
    }

    @Override
    public void writeVLong(long i) throws IOException {
        note('V', () -> super.writeVLong(i));
    }

    @Override
    public void writeZLong(long i) throws IOException {
        note('z', () -> super.writeZLong(i));
    }

    @Override
    public void writeFloat(float v) throws IOException {
        note('f', () -> super.writeFloat(v));
    }

    @Override
    public void writeDouble(double v) throws IOException {
        note('d', () -> super.writeDouble(v));
    }

    @Override
    public void writeBoolean(boolean v) throws IOException {
        note('o', () -> super.writeBoolean(v));
    }

    @Override
    public void writeOptionalBoolean(Boolean v) throws IOException {
        note('p', () -> super.writeOptionalBoolean(v));
    }

    @Override
    public void writeString(String s) throws IOException {
        note('s', () -> super.writeString(s));
    }

    @Override
    public void writeText(Text t) throws IOException {
        note('t', () -> super.writeText(t));
    }

    @Override
    public long position() throws IOException {
        return bytes.position();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public void reset() {
        throw new UnsupportedOperationException();
    }
}
