package dev.nonbis.bench.torture;

import dev.nonbis.bench.process.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The worker processes of a campaign; who is killed is replaced by another with another name. */
final class WorkerFleet implements AutoCloseable {

    private final Size size;
    private final InetSocketAddress server;
    private final Ledger ledger;
    private final Path log;
    private final List<WorkerProcess> processes = new ArrayList<>();
    private int born;

    /** How many processes, workers in each, and tasks of each worker at a time. */
    record Size(int processes, int workersEach, int tasksEach) {}

    WorkerFleet(Size size, InetSocketAddress server, Ledger ledger, Path log) {
        this.size = size;
        this.server = server;
        this.ledger = ledger;
        this.log = log;
    }

    void start() throws IOException {
        for (int i = 0; i < size.processes(); i++) {
            processes.add(another());
        }
    }

    void killOne(SplittableRandom random) throws IOException, InterruptedException {
        int victim = random.nextInt(processes.size());
        processes.get(victim).kill();
        processes.set(victim, another());
    }

    WorkerProcess any(SplittableRandom random) {
        return processes.get(random.nextInt(processes.size()));
    }

    /** A process that ended by itself is a finding. */
    boolean allAlive() {
        return processes.stream().allMatch(WorkerProcess::alive);
    }

    private WorkerProcess another() throws IOException {
        born++;
        return WorkerProcess.start(
                log,
                List.of(
                        "http://" + server.getHostString() + ":" + server.getPort(),
                        Credential.forTenant(DispatchCampaign.TENANT).token(),
                        Integer.toString(ledger.port()),
                        "process-" + born,
                        Integer.toString(size.workersEach()),
                        Integer.toString(size.tasksEach()),
                        String.join(",", DispatchCampaign.TOPICS)));
    }

    @Override
    public void close() {
        processes.forEach(WorkerProcess::close);
    }
}
