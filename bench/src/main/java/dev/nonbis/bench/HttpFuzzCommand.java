package dev.nonbis.bench;

import dev.nonbis.bench.fuzz.HttpFuzzer;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "http",
        description =
                "Sends a server requests made from its own API description: none may fail, hang or tell a credential.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class HttpFuzzCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--requests", description = "How many requests.")
    int requests = 100_000;

    @Option(names = "--seed", description = "Decides every request.")
    long seed = 1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var credentials = List.of(Credential.forTenant("acme"), Credential.forTenant("globex"));
        try (var directory = ServerDirectory.create(credentials);
                var process = ServerProcess.start(server.command(), directory)) {
            var report = new HttpFuzzer(
                            directory.ports().apiAddress(),
                            credentials.stream().map(Credential::token).toList(),
                            seed)
                    .send(requests);
            var out = spec.commandLine().getOut();
            report.findings().forEach(out::println);
            out.println(requests + " requests, answers by status " + report.statuses() + ", "
                    + report.findings().size() + " findings; the server "
                    + (process.alive() ? "is alive" : "has died"));
            out.flush();
            return report.findings().isEmpty() && process.alive() ? 0 : 1;
        }
    }
}
