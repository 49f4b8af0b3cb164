package dev.nonbis.server.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A script, and the digest under which Redis knows it once it has seen it. */
record RedisScript(String text, String digest) {

    static final RedisScript OPEN = read("open.lua");
    static final RedisScript APPLY = read("apply.lua");
    static final RedisScript READ = read("read.lua");

    private static RedisScript read(String name) {
        try (var file = RedisScript.class.getResourceAsStream("/db/redis/" + name)) {
            if (file == null) {
                throw new IllegalStateException("the script " + name + " is not in the jar");
            }
            var bytes = file.readAllBytes();
            var digest =
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
            return new RedisScript(new String(bytes, StandardCharsets.UTF_8), digest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
