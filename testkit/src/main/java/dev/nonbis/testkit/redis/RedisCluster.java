package dev.nonbis.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A Redis cluster of its own: three primaries without replicas, each a {@link RedisServer}, that share all slots. */
public final class RedisCluster implements AutoCloseable {

    private static final int NODES = 3;
    private static final int SLOTS = 16_384;
    private static final int TRIES = 600;
    private static final long PAUSE_NANOS = 50_000_000;

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster() {}

    /** Starts one, and returns once it takes commands. */
    public static RedisCluster start() throws IOException {
        var cluster = new RedisCluster();
        try {
            for (int i = 0; i < NODES; i++) {
                cluster.nodes.add(RedisServer.start(options()));
            }
            cluster.meet();
            cluster.awaitOk();
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The port of one of them; who knows one finds all. */
    public int port() {
        return nodes.getFirst().port();
    }

    /** Runs a command as an operator would, on each of them, and gives what they said. */
    public List<String> everywhere(String... words) throws IOException {
        var said = new ArrayList<String>();
        for (var node : nodes) {
            said.add(node.command(words));
        }
        return said;
    }

    /** Starts one that was killed, on its data, and returns once the cluster takes commands again. */
    public void startAgain(RedisServer node) throws IOException {
        node.startAgain(options());
        awaitOk();
    }

    /** Moves the slot of this key to another node, the key and all in it included. */
    public void move(String key) throws IOException {
        var slot = nodes.getFirst().command("CLUSTER", "KEYSLOT", key);
        var from = nodes.stream().filter(node -> has(node, slot)).findFirst().orElseThrow();
        var to = nodes.stream().filter(node -> !has(node, slot)).findFirst().orElseThrow();
        var fromId = from.command("CLUSTER", "MYID");
        var toId = to.command("CLUSTER", "MYID");
        to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
        from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
        for (var name :
                from.command("CLUSTER", "GETKEYSINSLOT", slot, "100000").lines().toList()) {
            if (!name.isEmpty()) {
                from.command("MIGRATE", to.host(), Integer.toString(to.port()), name, "0", "5000");
            }
        }
        for (var node : List.of(to, from)) {
            node.command("CLUSTER", "SETSLOT", slot, "NODE", toId);
        }
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }

    private static String[] options() {
        return new String[] {"--cluster-enabled", "yes", "--cluster-node-timeout", "2000"};
    }

    private void meet() throws IOException {
        for (int i = 0; i < NODES; i++) {
            int first = i * SLOTS / NODES;
            int behind = (i + 1) * SLOTS / NODES;
            var words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.range(first, behind).forEach(slot -> words.add(Integer.toString(slot)));
            nodes.get(i).command(words.toArray(String[]::new));
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (var node : nodes.subList(1, NODES)) {
            nodes.getFirst().command("CLUSTER", "MEET", node.host(), Integer.toString(node.port()));
        }
    }

    private void awaitOk() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            if (everywhere("CLUSTER", "INFO").stream().allMatch(RedisCluster::isOk)) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IOException("the cluster did not come together: " + everywhere("CLUSTER", "INFO"));
    }

    private static boolean isOk(String info) {
        return info.contains("cluster_state:ok") && info.contains("cluster_size:" + NODES);
    }

    private static boolean has(RedisServer node, String slot) {
        try {
            int wanted = Integer.parseInt(slot);
            for (var line : node.command("CLUSTER", "NODES").lines().toList()) {
                if (line.contains("myself")) {
                    return List.of(line.split(" ", -1)).stream()
                            .skip(8)
                            .filter(range -> range.matches("\\d+(-\\d+)?"))
                            .map(range -> range.split("-", -1))
                            .anyMatch(range -> Integer.parseInt(range[0]) <= wanted
                                    && wanted <= Integer.parseInt(range[range.length - 1]));
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
