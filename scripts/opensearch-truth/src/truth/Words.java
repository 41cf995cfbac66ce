package truth;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Texts that a class may accept: the constants of the classes that refused another one, and of the enums beside them. */
final class Words {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;
    private static final int MODULE = 19;
    private static final int PACKAGE = 20;
    private static final int MAX_REFUSALS = 60;
    private static final int MAX_CLASSES = 40;

    private int refusals;
    private final List<String> words = new ArrayList<>();
    private final Set<String> classes = new HashSet<>();

    boolean isEmpty() {
        return words.isEmpty();
    }

    int size() {
        return words.size();
    }

    String get(int index) {
        return words.get(index);
    }

    void learn(Throwable refused) {
        if (++refusals > MAX_REFUSALS) {
            return;
        }
        for (Throwable cause = refused; cause != null && cause.getCause() != cause; cause = cause.getCause()) {
            if (cause instanceof IllegalArgumentException || cause instanceof IllegalStateException || cause instanceof NullPointerException) {
                for (StackTraceElement frame : cause.getStackTrace()) {
                    if (frame.getClassName().startsWith("truth.")) {
                        break;
                    }
                    if (frame.getClassName().startsWith("org.opensearch.") && frame.getClassName().contains("StreamInput") == false) {
                        learn(frame.getClassName(), true);
                    }
                }
                String message = String.valueOf(cause.getMessage());
                if (message.startsWith("No enum constant ")) {
                    learnEnum(message.substring("No enum constant ".length()));
                }
            }
        }
    }

    /** Of `a.b.C.D.name`: an enum nested in a class is named with a point, too. */
    private void learnEnum(String constant) {
        String[] parts = constant.split("\\.");
        StringBuilder name = new StringBuilder();
        for (String part : parts) {
            boolean isNested = name.length() > 0 && Character.isUpperCase(name.charAt(name.lastIndexOf(".") + 1));
            name.append(name.length() == 0 ? "" : isNested ? "$" : ".").append(part);
            learn(name.toString(), false);
        }
    }

    private void learn(String className, boolean withOthers) {
        if (classes.size() >= MAX_CLASSES || classes.add(className) == false) {
            return;
        }
        try {
            Class<?> type = Class.forName(className, false, Words.class.getClassLoader());
            if (type.isEnum()) {
                for (Object constant : type.getEnumConstants()) {
                    words.add(((Enum<?>) constant).name());
                }
            }
            if (withOthers || type.isEnum()) {
                readConstants(type, withOthers);
            }
        } catch (ReflectiveOperationException | LinkageError | IOException e) {
            // Not a class.
        }
    }

    private void readConstants(Class<?> type, boolean withOthers) throws IOException, ClassNotFoundException {
        InputStream file = type.getResourceAsStream('/' + type.getName().replace('.', '/') + ".class");
        if (file == null) {
            return;
        }
        try (DataInputStream in = new DataInputStream(file)) {
            in.readLong();
            int count = in.readUnsignedShort();
            String[] texts = new String[count];
            List<Integer> strings = new ArrayList<>();
            List<Integer> names = new ArrayList<>();
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case UTF8 -> texts[i] = in.readUTF();
                    case LONG, DOUBLE -> {
                        in.readLong();
                        i++;
                    }
                    case CLASS -> names.add(in.readUnsignedShort());
                    case STRING -> strings.add(in.readUnsignedShort());
                    case METHOD_TYPE, MODULE, PACKAGE -> in.readUnsignedShort();
                    case METHOD_HANDLE -> in.skipBytes(3);
                    default -> in.readInt();
                }
            }
            for (int index : strings) {
                if (texts[index].length() < 40 && texts[index].matches("[\\w.:*-]+")) {
                    words.add(texts[index]);
                }
            }
            for (int index : names) {
                String name = texts[index].replace('/', '.');
                if (withOthers && name.startsWith("org.opensearch.") && Class.forName(name, false, Words.class.getClassLoader()).isEnum()) {
                    learn(name, false);
                }
            }
        }
    }
}
