package dev.nonbis.server;

import dev.nonbis.core.dispatch.Topics;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.config.StoreUrl;
import dev.nonbis.server.policy.cel.PolicyFile;
import dev.nonbis.server.signing.SigningKeyFile;
import dev.nonbis.server.topics.TopicsFile;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;

/** The files beside the configuration, each opened or refused with a reason before anything listens. */
record OpenedFiles(Optional<PolicyFile> policy, Optional<TopicsFile> topics, KeyRing signer) {

    static OpenedFiles open(Config config, InstantSource clock) {
        return new OpenedFiles(
                config.policyFile().map(file -> openPolicy(file, clock)),
                config.topicsFile().map(OpenedFiles::openTopics),
                signer(config));
    }

    Policy rules() {
        return policy.<Policy>map(file -> file).orElse(Policy.ALLOW_ALL);
    }

    Topics topicRules() {
        return topics.<Topics>map(file -> file).orElse(Topics.DEFAULTS);
    }

    /** What an operator wants to see of them. A refused file leaves the one before in force, so the server is ready. */
    void checks(JsonObject.Builder checks) {
        policy.ifPresent(file -> checks.put(
                "policy",
                file.status().refused().isPresent() ? "the file was refused, the policy before is in force" : "ok"));
        topics.ifPresent(file ->
                checks.put("topics", file.isRefused() ? "the file was refused, the rules before are in force" : "ok"));
    }

    private static PolicyFile openPolicy(Path file, InstantSource clock) {
        return switch (PolicyFile.open(file, clock)) {
            case PolicyFile.Opening.Opened(var opened) -> opened;
            case PolicyFile.Opening.Refused(var complaints) ->
                throw new StartRefused(
                        "the policy cannot be used:\n"
                                + complaints.stream().map(Object::toString).collect(Collectors.joining("\n")),
                        "correct the policy; nonbis policy check says the same");
        };
    }

    private static TopicsFile openTopics(Path file) {
        return switch (TopicsFile.open(file)) {
            case TopicsFile.Opening.Opened(var opened) -> opened;
            case TopicsFile.Opening.Refused(var complaints) ->
                throw new StartRefused(
                        "the topics cannot be used:\n"
                                + complaints.stream().map(Object::toString).collect(Collectors.joining("\n")),
                        "correct the file that topics.file names");
        };
    }

    private static KeyRing signer(Config config) {
        var file = config.signingKeysFile().orElseGet(() -> switch (config.store()) {
            case StoreUrl.Sqlite(var database) -> database.resolveSibling(SigningKeyFile.NAME);
            case StoreUrl.Postgres _, StoreUrl.Redis _ ->
                throw new StartRefused(
                        "servers that share a store sign with the same keys, and signing.keys_file does not say with which",
                        "give signing.keys_file, with the same content on every server");
        });
        try {
            return new SigningKeyFile(file).open();
        } catch (SigningKeyFile.Unusable e) {
            throw new StartRefused(e.reason(), "see signing.keys_file in the configuration");
        }
    }
}
