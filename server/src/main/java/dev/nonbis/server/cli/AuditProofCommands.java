package dev.nonbis.server.cli;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Query;
import dev.nonbis.core.audit.MerkleHash;
import dev.nonbis.core.audit.MerkleProof;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What proves the audit log without reading all of it. */
final class AuditProofCommands {

    private AuditProofCommands() {}

    @Command(
            name = "checkpoint",
            description = "Seal the log and print its signed checkpoint, to be kept elsewhere.",
            mixinStandardHelpOptions = true)
    static final class Checkpoint extends ClientCommand {

        Checkpoint(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().sealCheckpoint());
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "proof",
            description =
                    "Get and check the proof that an event is in the log, or that one log is the beginning of another.",
            mixinStandardHelpOptions = true)
    static final class Proof extends ClientCommand {

        @Parameters(arity = "0..1", paramLabel = "SEQ", description = "The event.")
        private Optional<Long> seq = Optional.empty();

        @Option(names = "--size", paramLabel = "N", description = "In the log of that many events; all that is sealed.")
        private Optional<Long> size = Optional.empty();

        @Option(names = "--from", paramLabel = "N", description = "Prove that the log of that many events ...")
        private Optional<Long> from = Optional.empty();

        @Option(names = "--to", paramLabel = "N", description = "... is the beginning of that one; all that is sealed.")
        private Optional<Long> to = Optional.empty();

        Proof(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            if (seq.isPresent() == from.isPresent()) {
                throw new CommandFailed(ExitCode.USAGE, "nothing to prove", "give SEQ or --from, and not both");
            }
            return seq.isPresent() ? inclusion(seq.get()) : consistency(from.orElseThrow());
        }

        private ExitCode inclusion(long event) {
            var client = connect();
            var answer = client.proveInclusion(
                    Query.ALL.and("seq", Long.toString(event)).and("size", size.map(String::valueOf)));
            var proof = object(answer);
            var page = object(client.audit(
                            Query.ALL.and("after", Long.toString(event - 1)).and("limit", "1"))
                    .answer());
            byte[] leaf = page.array("items").map(JsonArray::items).orElse(List.of()).stream()
                    .filter(item -> item instanceof JsonObject found
                            && found.integer("seq").equals(Optional.of(event)))
                    .findFirst()
                    .map(item -> MerkleHash.leaf(Json.canonical(chained((JsonObject) item))))
                    .orElseThrow(() -> new CommandFailed(
                            ExitCode.ERROR, "the event is no longer there", "look for it in an earlier export"));
            return checked(
                    answer,
                    MerkleProof.isIncluded(
                            leaf, event - 1, proof.integer("size").orElse(0L), hashes(proof), hash(proof, "root")));
        }

        private ExitCode consistency(long begin) {
            var answer = connect()
                    .proveConsistency(
                            Query.ALL.and("from", Long.toString(begin)).and("to", to.map(String::valueOf)));
            var proof = object(answer);
            return checked(
                    answer,
                    MerkleProof.isConsistent(
                            begin,
                            hash(proof, "from_root"),
                            proof.integer("to").orElse(0L),
                            hash(proof, "to_root"),
                            hashes(proof)));
        }

        private ExitCode checked(Answer answer, boolean holds) {
            if (!holds) {
                throw new CommandFailed(
                        ExitCode.ERROR,
                        "the server's proof does not hold",
                        "keep the store as it is, and compare with an earlier export");
            }
            report.object(terminal, answer);
            terminal.err().println("the proof holds; compare its root with a checkpoint that you kept");
            return ExitCode.DONE;
        }

        private static JsonObject chained(JsonObject event) {
            var chained = JsonObject.builder();
            event.members().forEach((name, value) -> {
                if (!name.equals("hash") && !name.equals("data")) {
                    chained.put(name, value);
                }
            });
            return chained.build();
        }

        private static JsonObject object(Answer answer) {
            return Json.parse(answer.text().getBytes(StandardCharsets.UTF_8)) instanceof JsonObject json
                    ? json
                    : JsonObject.EMPTY;
        }

        private static byte[] hash(JsonObject proof, String name) {
            return parsed(proof.string(name).orElse(""));
        }

        private static List<byte[]> hashes(JsonObject proof) {
            return proof.array("hashes").map(JsonArray::items).orElse(List.of()).stream()
                    .map(item -> parsed(item instanceof JsonString(var hex) ? hex : ""))
                    .toList();
        }

        private static byte[] parsed(String hex) {
            return hex.matches("([0-9a-f]{2})*") ? HexFormat.of().parseHex(hex) : new byte[0];
        }
    }
}
