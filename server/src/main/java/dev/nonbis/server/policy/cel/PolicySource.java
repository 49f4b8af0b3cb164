package dev.nonbis.server.policy.cel;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where policies are written: one file for all tenants, or a directory of {@code <tenant>.yaml} and {@code default.yaml}. */
final class PolicySource {

    private static final String SUFFIX = ".yaml";
    private static final String DEFAULT = "default";

    private final Path path;
    private final PolicyReader reader = new PolicyReader();

    PolicySource(Path path) {
        this.path = path;
    }

    /** What is written there now, by file. */
    record Content(boolean perTenant, SortedMap<Path, byte[]> files) {

        /** Differs when anything is written differently. */
        String digest() {
            var all = JsonObject.builder();
            files.forEach((file, bytes) -> all.put(file.toString(), Sha256.hex(bytes)));
            return Sha256.hex(Json.canonical(all.build()));
        }
    }

    /** A policy and its name, or why there is none. */
    sealed interface Loaded {

        record Accepted(CelPolicy policy, String hash) implements Loaded {}

        record Refused(List<Complaint> complaints) implements Loaded {}
    }

    Content content() throws IOException {
        var files = new TreeMap<Path, byte[]>();
        if (!Files.isDirectory(path)) {
            files.put(path, Files.readAllBytes(path));
            return new Content(false, files);
        }
        try (var listed = Files.list(path)) {
            for (var file : listed.filter(PolicySource::isPolicy).toList()) {
                files.put(file, Files.readAllBytes(file));
            }
        }
        return new Content(true, files);
    }

    Loaded load(Content content) {
        var documents = new TreeMap<String, PolicyDocument>();
        var complaints = new ArrayList<Complaint>();
        content.files().forEach((file, bytes) -> {
            var name = content.perTenant() ? tenant(file, complaints) : Optional.of(DEFAULT);
            switch (reader.read(file, bytes)) {
                case PolicyReader.Result.Accepted(var policy) -> name.ifPresent(known -> documents.put(known, policy));
                case PolicyReader.Result.Refused(var found) -> complaints.addAll(found);
            }
        });
        if (content.files().isEmpty()) {
            complaints.add(
                    new Complaint(path, 1, 1, "", "the directory has no file named TENANT.yaml or default.yaml"));
        }
        return complaints.isEmpty() ? accepted(content, documents) : new Loaded.Refused(complaints);
    }

    Complaint unreadable() {
        return new Complaint(path, 1, 1, "", "cannot be read");
    }

    private static Loaded accepted(Content content, SortedMap<String, PolicyDocument> documents) {
        var byTenant = new HashMap<TenantId, PolicyDocument>();
        var hashes = JsonObject.builder();
        documents.forEach((name, document) -> {
            byTenant.put(new TenantId(name), document);
            hashes.put(name, document.hash());
        });
        var fallback = Optional.ofNullable(documents.get(DEFAULT));
        // One file is known by its own hash; a directory by the hash of all of them.
        String hash = fallback.filter(only -> !content.perTenant())
                .map(PolicyDocument::hash)
                .orElseGet(() -> Sha256.hex(Json.canonical(hashes.build())));
        return new Loaded.Accepted(new CelPolicy(byTenant, fallback), hash);
    }

    private static boolean isPolicy(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && (name.endsWith(SUFFIX) || name.endsWith(".yml")) && Files.isRegularFile(file);
    }

    private static Optional<String> tenant(Path file, List<Complaint> complaints) {
        String name = file.getFileName().toString();
        var tenant = name.endsWith(SUFFIX)
                ? TenantId.parse(name.substring(0, name.length() - SUFFIX.length()))
                : Optional.<TenantId>empty();
        if (tenant.isEmpty()) {
            complaints.add(new Complaint(file, 1, 1, "", "the file must be named TENANT.yaml or default.yaml"));
        }
        return tenant.map(TenantId::value);
    }
}
