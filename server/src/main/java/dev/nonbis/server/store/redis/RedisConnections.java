package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Calls over a few connections. A connection that fails is replaced by the next call. No call is ever made twice, except that a server of a
 * cluster which has not done it says who can.
 */
final class RedisConnections implements AutoCloseable {

    // A key that is being moved is behind one sign or two; more means that the servers disagree.
    private static final int MOST_SIGNS = 5;

    private final RedisNodes nodes;
    private volatile boolean closed;
    // Counts the times that we were cut off; who was may find another server, or the same with other settings.
    private final AtomicInteger losses = new AtomicInteger();

    /** Takes the nodes over and closes them with itself. */
    RedisConnections(RedisNodes nodes) {
        this.nodes = nodes;
    }

    /** A call that changes nothing, to one server. */
    Object ask(HostAndPort node, Command command, String... arguments) {
        var bytes = Arrays.stream(arguments).map(RedisKeys::bytes).toList();
        var call = new RedisCall(new byte[0], command, bytes, Optional.empty());
        return told(() -> once(node, call, false));
    }

    /** A call that changes nothing. */
    Object ask(RedisCall call) {
        return told(() -> follow(call, node -> {}));
    }

    /** Calls that change nothing, together. */
    List<Object> ask(List<RedisCall> calls) {
        if (calls.size() == 1) {
            return List.of(ask(calls.getFirst()));
        }
        return told(() -> together(calls));
    }

    /**
     * A call that writes, and checks all that it can before.
     *
     * @param guard sees each server before the call is sent there
     */
    Object tell(RedisCall call, Consumer<HostAndPort> guard) {
        refuseIfClosed();
        try {
            return follow(call, guard);
        } catch (JedisConnectionException e) {
            lost();
            throw RedisErrors.unknown(e);
        } catch (JedisException e) {
            throw didNotHappen(e);
        }
    }

    List<HostAndPort> primaries() {
        return nodes.primaries();
    }

    int losses() {
        return losses.get();
    }

    private Object follow(RedisCall call, Consumer<HostAndPort> guard) {
        var node = nodeOf(call);
        boolean isMoving = false;
        for (int signs = 0; ; signs++) {
            guard.accept(node);
            try {
                return once(node, call, isMoving);
            } catch (JedisRedirectionException sign) {
                if (signs == MOST_SIGNS) {
                    throw sign;
                }
                isMoving = sign instanceof JedisAskDataException;
                if (!isMoving) {
                    lost();
                }
                node = sign.getTargetNode();
            }
        }
    }

    private Object once(HostAndPort node, RedisCall call, boolean isMoving) {
        try (var connection = connect(node)) {
            try {
                return send(connection, call, isMoving);
            } catch (JedisNoScriptException e) {
                // It was restarted, or its scripts were flushed. It has not run.
                load(connection, call.script().orElseThrow(() -> e));
                return send(connection, call, isMoving);
            }
        }
    }

    private List<Object> together(List<RedisCall> calls) {
        var byNode = IntStream.range(0, calls.size())
                .boxed()
                .collect(Collectors.groupingBy(i -> nodeOf(calls.get(i)), LinkedHashMap::new, Collectors.toList()));
        var answers = new ArrayList<Object>(Collections.nCopies(calls.size(), List.of()));
        var again = new ArrayList<Integer>();
        for (Map.Entry<HostAndPort, List<Integer>> some : byNode.entrySet()) {
            try (var connection = connect(some.getKey())) {
                for (int i : some.getValue()) {
                    write(connection, calls.get(i));
                }
                for (int i : some.getValue()) {
                    try {
                        answers.set(i, connection.getOne());
                    } catch (JedisRedirectionException | JedisNoScriptException e) {
                        again.add(i);
                    }
                }
            }
        }
        again.forEach(i -> answers.set(i, follow(calls.get(i), node -> {})));
        return answers;
    }

    private static Object send(Connection connection, RedisCall call, boolean isMoving) {
        if (isMoving) {
            connection.sendCommand(Command.ASKING);
            connection.getOne();
        }
        write(connection, call);
        return connection.getOne();
    }

    private static void write(Connection connection, RedisCall call) {
        connection.sendCommand(call.command(), call.arguments().toArray(byte[][]::new));
    }

    private static void load(Connection connection, RedisScript script) {
        connection.sendCommand(Command.SCRIPT, RedisKeys.bytes("LOAD"), RedisKeys.bytes(script.text()));
        connection.getOne();
    }

    private HostAndPort nodeOf(RedisCall call) {
        try {
            return nodes.of(call.key());
        } catch (JedisException e) {
            throw didNotHappen(e);
        }
    }

    private Connection connect(HostAndPort node) {
        refuseIfClosed();
        try {
            return nodes.connect(node);
        } catch (JedisException e) {
            refuseIfClosed();
            throw didNotHappen(e);
        }
    }

    private <R> R told(Supplier<R> calls) {
        refuseIfClosed();
        try {
            return calls.get();
        } catch (JedisException e) {
            throw didNotHappen(e);
        }
    }

    private StoreUnavailable didNotHappen(JedisException error) {
        boolean isLost = error instanceof JedisConnectionException
                || (error instanceof JedisDataException refusal && RedisErrors.leadsElsewhere(refusal));
        if (isLost) {
            lost();
        }
        return RedisErrors.didNotHappen(error);
    }

    private void lost() {
        if (!closed) {
            losses.incrementAndGet();
            // The others lead where this one led.
            nodes.lookAgain();
        }
    }

    void refuseIfClosed() {
        if (closed) {
            throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        nodes.close();
    }
}
