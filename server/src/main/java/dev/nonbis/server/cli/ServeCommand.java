package dev.nonbis.server.cli;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "serve", description = "Run the server.", mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {

    private static final Logger LOG = System.getLogger(ServeCommand.class.getName());

    private final Terminal terminal;
    private final ServerLauncher launcher;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration; without it, the environment alone.")
    private Optional<Path> file = Optional.empty();

    @Option(names = "--json", description = "Print the URLs as JSON once requests are accepted.")
    private boolean json;

    ServeCommand(Terminal terminal, ServerLauncher launcher) {
        this.terminal = terminal;
        this.launcher = launcher;
    }

    @Override
    public Integer call() {
        Logging.start();
        var loaded = ConfigFiles.load(terminal, file);
        var config = loaded.config();
        Logging.format(config.observation().logs().format());
        if (!loaded.ignored().isEmpty()) {
            LOG.log(Level.INFO, "ignored, as variables that Kubernetes makes of a Service: {0}", loaded.ignored());
        }
        var server = launcher.start(config);
        if (json) {
            terminal.out()
                    .println(Inputs.EXACT
                            .createObjectNode()
                            .put("url", server.url().toString())
                            .put("management_url", server.managementUrl().toString()));
        }
        terminal.err()
                .println("nonbis accepts requests at " + server.url() + ", metrics at " + server.managementUrl()
                        + "/metrics");
        return Serving.untilStopped(server).code();
    }
}
