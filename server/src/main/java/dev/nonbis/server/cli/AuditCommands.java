package dev.nonbis.server.cli;

import dev.nonbis.core.audit.AuditSeal;
import dev.nonbis.json.InvisibleText;
import dev.nonbis.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done with the audit log. */
final class AuditCommands {

    private AuditCommands() {}

    @Command(
            name = "export",
            description = "Print the log: every event, a line of canonical JSON each, and nothing else.",
            mixinStandardHelpOptions = true)
    static final class Export extends ClientCommand {

        @Option(names = "--after", paramLabel = "SEQ", description = "Only the events behind this one.")
        private Optional<String> after = Optional.empty();

        @Option(
                names = "--checkpoint",
                paramLabel = "FILE",
                description = "Seal the log, end with what is sealed, and write its signed checkpoint to this file.")
        private Optional<String> checkpoint = Optional.empty();

        Export(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            if (after.isPresent() && checkpoint.isPresent()) {
                throw new CommandFailed(
                        ExitCode.USAGE,
                        "a checkpoint stands for the whole log",
                        "give --after or --checkpoint, and not both");
            }
            var copy = new AuditCopy(connect(), this::print, after);
            checkpoint.ifPresentOrElse(file -> keep(file, copy.sealed()), copy::all);
            if (terminal.out().checkError()) {
                throw new CommandFailed(
                        ExitCode.ERROR, "the export could not be written to its end", "make space and export again");
            }
            return ExitCode.DONE;
        }

        // In a file every byte counts; on a screen no character may hide others.
        private void print(String line) {
            terminal.out().println(terminal.streams().onScreen() ? InvisibleText.escaped(line) : line);
        }

        private void keep(String file, AuditSeal seal) {
            try {
                Files.writeString(terminal.directory().resolve(Path.of(file)), AuditSeal.line(seal.toJson()) + "\n");
            } catch (IOException e) {
                throw new CommandFailed(ExitCode.ERROR, "cannot write " + file, "check its path and permissions");
            }
        }
    }

    @Command(name = "head", description = "Show the last event's seq and hash.", mixinStandardHelpOptions = true)
    static final class Head extends ClientCommand {

        Head(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().auditHead());
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "verify",
            description = "Check an export, offline, or the chain of the server when no file is given.",
            mixinStandardHelpOptions = true)
    static final class Verify extends ClientCommand {

        @Parameters(arity = "0..1", paramLabel = "FILE", description = "An export; - for standard input.")
        private Optional<String> file = Optional.empty();

        @Option(
                names = "--keys",
                paramLabel = "FILE",
                description = "The public keys that check the signatures: /.well-known/nonbis-keys.json of the server.")
        private Optional<String> keys = Optional.empty();

        @Option(
                names = "--checkpoint",
                paramLabel = "FILE",
                description = {
                    "What the log must fit: the file that export --checkpoint wrote, or a checkpoint that was kept elsewhere.",
                    "May be given several times."
                })
        private List<String> checkpoints = new ArrayList<>();

        @Option(names = "--range", description = "The export may start behind the first event.")
        private boolean range;

        @Option(names = "--tenant", paramLabel = "TENANT", description = "The tenant whose log it must be.")
        private Optional<String> tenant = Optional.empty();

        @Option(names = "--head", paramLabel = "HASH", description = "The hash that the last event must have.")
        private Optional<String> head = Optional.empty();

        Verify(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            if (file.isPresent() && keys.isPresent() && checkpoints.isEmpty()) {
                throw new CommandFailed(
                        ExitCode.USAGE,
                        "an export has no signature of its own, so there is nothing that the keys could check",
                        "give the export's checkpoint with --checkpoint");
            }
            var signedFiles = new SignedFiles(terminal);
            var verification = new AuditVerification(range, keys.map(signedFiles::keys));
            checkpoints.forEach(name -> verification.mustFit(signedFiles.object(name)));
            if (file.isPresent()) {
                readFile(file.get(), verification);
            } else {
                readServer(verification);
            }
            verification.end();
            head.ifPresent(verification::mustEndWith);
            tenant.ifPresent(verification::mustBeOf);
            verification.notes().forEach(note -> terminal.err().println("note: " + note));
            terminal.out().println(report.isJson() ? verification.json() : verification.summary());
            return ExitCode.DONE;
        }

        /** The chain may grow meanwhile, so the head is asked for first and must be passed on the way. */
        private void readServer(AuditVerification verification) {
            var client = connect();
            var body = client.auditHead().body();
            long seq = body.path("seq").asLong(0);
            verification.mustReach(seq, body.path("hash").asString(""));
            if (seq > 0) {
                client.sealCheckpoint();
                verification.follow(AuditCopy.seal(client));
                AuditCopy.forEachEvent(client, Optional.empty(), event -> {
                    verification.line(Json.canonical(event));
                    return true;
                });
            }
        }

        private void readFile(String name, AuditVerification verification) {
            try (var in = name.equals("-") ? terminal.streams().in() : open(name)) {
                var lines = new LineReader(in);
                for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                    verification.line(line.get());
                }
                verification.mustBeWhole(name, lines.endedWithinLine());
            } catch (LineReader.TooLong e) {
                throw new CommandFailed(ExitCode.ERROR, name + ": " + e.getMessage(), "check that it is an export");
            } catch (IOException e) {
                throw new CommandFailed(ExitCode.ERROR, "cannot read " + name, "check its path and permissions");
            }
        }

        private InputStream open(String name) throws IOException {
            return Files.newInputStream(terminal.directory().resolve(Path.of(name)));
        }
    }
}
