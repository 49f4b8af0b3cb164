package dev.nonbis.core.store;

import dev.nonbis.core.lease.Lease;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;

final class LeaseCodec {

    private LeaseCodec() {}

    static byte[] encode(Lease lease) {
        return Json.write(JsonObject.builder()
                .putString("holder", lease.holder())
                .put("beat", lease.beat())
                .build());
    }

    static Lease decode(byte[] body) {
        var row = new Row(body);
        return new Lease(row.json().string("holder"), row.integer("beat"));
    }
}
