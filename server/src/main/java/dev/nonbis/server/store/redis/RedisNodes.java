package dev.nonbis.server.store.redis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/** The servers that take writes, and which of them has a key. */
interface RedisNodes extends AutoCloseable {

    /** Whoever has the key, as far as known. */
    HostAndPort of(byte[] key);

    /**
     * A connection that goes back when it is closed.
     *
     * @throws JedisException when there is none to be had
     */
    Connection connect(HostAndPort node);

    /** All of them. */
    List<HostAndPort> primaries();

    /** What is known may be wrong: connections are made anew, and on a cluster it is asked who has what. */
    void lookAgain();

    @Override
    void close();
}
