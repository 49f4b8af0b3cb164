package dev.nonbis.server.cli;

import dev.nonbis.json.Sha256;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.config.StoreUrl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A configuration that needs no file: one directory, loopback only, one admin, and one who may only decide. */
record DevSetup(Path data, String token, Config config) {

    static DevSetup of(Path data, int port, int managementPort) {
        try {
            var token = DevKey.in(data);
            var admin = new Config.ApiKey("dev", "dev", Set.of("admin"), hash(token));
            var approver =
                    new Config.ApiKey("dev-approver", "dev", Set.of("approver"), hash(DevKey.ofApproverIn(data)));
            var defaults = Config.defaults();
            return new DevSetup(
                    data,
                    token,
                    defaults.withHttp(new Config.Http(
                                    "127.0.0.1",
                                    port,
                                    Optional.empty(),
                                    List.of(),
                                    defaults.http().limits()))
                            .withManagement(new Config.Management("127.0.0.1", managementPort))
                            .withStore(new StoreUrl.Sqlite(data.resolve("nonbis.db")))
                            .withAuth(new Config.Auth(List.of(admin, approver), Optional.empty())));
        } catch (IOException e) {
            throw new CommandFailed(
                    ExitCode.ERROR, "cannot keep data in " + data + ": " + e.getMessage(), "give another --data");
        }
    }

    private static String hash(String token) {
        return Sha256.hex(token.getBytes(StandardCharsets.UTF_8));
    }

    Path keyFile() {
        return data.resolve(DevKey.FILE_NAME);
    }
}
