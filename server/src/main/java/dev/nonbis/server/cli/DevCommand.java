package dev.nonbis.server.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "dev",
        description = "Run a server on this machine alone, without any configuration.",
        mixinStandardHelpOptions = true)
final class DevCommand implements Callable<Integer> {

    private static final String DEMO_WELCOME = """

                A demo worker does what you submit to job.default, and the steps of the workflows refund and publish. Three runs have been
                started; two of them wait for you. A client repeats itself every few seconds: the console shows what was stopped, and where.

                  ./nonbis run list
                  ./nonbis approvals list
                  ./nonbis approvals approve JOB_ID
                  ./nonbis run start refund --input '{"order": 42}'
                  ./nonbis job submit --topic job.demo.flaky --wait
                """;

    private final Terminal terminal;
    private final ServerLauncher launcher;

    @Option(names = "--port", paramLabel = "PORT", description = "The port (7420); 0 takes a free one.")
    private int port = 7420;

    @Option(names = "--management-port", paramLabel = "PORT", description = "The port of metrics and health (2112).")
    private int managementPort = 2112;

    @Option(names = "--data", paramLabel = "DIR", description = "Where data and key are kept (./nonbis-data).")
    private Path data = Path.of("nonbis-data");

    @Option(
            names = "--demo",
            description = "Also run a demo worker, the workflows refund and publish, and a client that repeats itself.")
    private boolean demo;

    @Option(names = "--json", description = "Print the URLs as JSON once requests are accepted.")
    private boolean json;

    DevCommand(Terminal terminal, ServerLauncher launcher) {
        this.terminal = terminal;
        this.launcher = launcher;
    }

    @Override
    public Integer call() {
        Logging.start();
        var setup = DevSetup.of(terminal.directory().resolve(data), port, managementPort);
        var server = demo ? startDemo(setup) : launcher.start(setup.config());
        if (json) {
            terminal.out()
                    .println(Inputs.EXACT
                            .createObjectNode()
                            .put("url", server.url().toString())
                            .put("management_url", server.managementUrl().toString())
                            .put("console_url", server.signInLink(setup.token()).toString())
                            .put("key_file", setup.keyFile().toString()));
        }
        terminal.err().print(welcome(server, setup));
        if (demo) {
            terminal.err().print(DEMO_WELCOME);
        }
        return Serving.untilStopped(server).code();
    }

    private RunningServer startDemo(DevSetup setup) {
        var parts = Demo.create();
        return parts.on(launcher.start(parts.in(setup.config())));
    }

    private static String welcome(RunningServer server, DevSetup setup) {
        return """
                nonbis dev is up. Stop it with Ctrl-C; the data stays.

                  console  %5$s
                  API      %1$s
                  metrics  %2$s/metrics
                  data     %3$s
                  key      %4$s (tenant dev, subject dev, role admin)

                A first request:

                  curl -sS %1$s/api/v1/jobs \\
                    -H "Authorization: Bearer $(cat '%4$s')" \\
                    -H 'Idempotency-Key: first' \\
                    -H 'Content-Type: application/json' \\
                    -d '{"topic":"job.default","prompt":"hello"}'

                Send it twice: the second answer is the first one again.
                """.formatted(
                        server.url(),
                        server.managementUrl(),
                        setup.data().toAbsolutePath().normalize(),
                        setup.keyFile().toAbsolutePath().normalize(),
                        server.signInLink(setup.token()));
    }
}
