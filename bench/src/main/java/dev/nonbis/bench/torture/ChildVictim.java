package dev.nonbis.bench.torture;

import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** The real server as a child process on a directory of its own. */
public final class ChildVictim implements Victim, AutoCloseable {

    private final ServerCommand command;
    private final ServerDirectory directory;
    private Optional<ServerProcess> process = Optional.empty();

    public ChildVictim(ServerCommand command, ServerDirectory directory) {
        this.command = command;
        this.directory = directory;
    }

    @Override
    public InetSocketAddress start() throws IOException, InterruptedException {
        process = Optional.of(ServerProcess.start(command, directory));
        return directory.ports().apiAddress();
    }

    @Override
    public void kill() throws InterruptedException {
        if (process.isPresent()) {
            process.get().kill();
        }
    }

    @Override
    public boolean alive() {
        return process.filter(ServerProcess::alive).isPresent();
    }

    @Override
    public List<String> mistakes() throws IOException {
        return directory.mistakes();
    }

    @Override
    public String lastWords() {
        return process.map(ServerProcess::lastWords).orElse("never started");
    }

    @Override
    public void close() {
        process.ifPresent(ServerProcess::close);
    }
}
