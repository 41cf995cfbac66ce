package api;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The descriptors of all services, with what they import, as a set. */
public final class Descriptors {
    private static final List<String> SERVICES = List.of("Document", "Search", "ML");

    public static void main(String[] args) throws Exception {
        Map<String, FileDescriptor> files = new LinkedHashMap<>();
        for (String service : SERVICES) {
            Class<?> outer = Class.forName("org.opensearch.protobufs.services." + service + "ServiceProto");
            add(files, (FileDescriptor) outer.getMethod("getDescriptor").invoke(null));
        }
        FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
        for (FileDescriptor file : files.values()) set.addFile(file.toProto());
        Files.write(Path.of(args[0]), set.build().toByteArray());
    }

    private static void add(Map<String, FileDescriptor> files, FileDescriptor file) {
        for (FileDescriptor imported : file.getDependencies()) add(files, imported);
        files.putIfAbsent(file.getName(), file);
    }
}
