package dev.nonbis.bench.torture;

import dev.nonbis.testkit.service.NatsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** The broker as the victim: the server lives on, and what carries its messages dies. Some deaths take every message along. */
public final class BrokerVictim implements Victim {

    private final NatsServer broker;
    private final Victim server;
    private final Plan plan;
    private Optional<InetSocketAddress> address = Optional.empty();
    private int deaths;
    private int wipes;

    /** How often the broker dies, and after how many of these deaths it comes back empty. */
    public record Plan(int kills, int wipes) {

        boolean isWiped(int death) {
            return death * wipes / kills > (death - 1) * wipes / kills;
        }
    }

    public BrokerVictim(NatsServer broker, Victim server, Plan plan) {
        this.broker = broker;
        this.server = server;
        this.plan = plan;
    }

    /** How often it came back empty. */
    public int wipes() {
        return wipes;
    }

    @Override
    public InetSocketAddress start() throws IOException, InterruptedException {
        if (address.isPresent()) {
            revive();
            return address.get();
        }
        var at = server.start();
        address = Optional.of(at);
        return at;
    }

    private void revive() {
        if (plan.isWiped(deaths)) {
            wipes++;
            broker.restartEmpty();
        } else {
            broker.restart();
        }
    }

    @Override
    public void kill() {
        deaths++;
        broker.kill();
    }

    @Override
    public boolean alive() {
        return server.alive();
    }

    @Override
    public List<String> mistakes() throws IOException {
        return server.mistakes();
    }

    @Override
    public String lastWords() {
        return server.lastWords();
    }
}
