package dev.nonbis.server.logging;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a line says besides its sentence. They are bound only while a line is written, so that whoever logs nothing pays nothing. */
public final class LogFields {

    private static final ScopedValue<Map<String, Object>> BOUND = ScopedValue.newInstance();

    private final Map<String, Object> fields = new LinkedHashMap<>();

    public static LogFields of(String name, Object value) {
        return new LogFields().and(name, value);
    }

    public LogFields and(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    /** Runs what logs; its lines carry these fields. */
    public void during(Runnable logs) {
        ScopedValue.where(BOUND, fields).run(logs);
    }

    static Map<String, Object> current() {
        return BOUND.orElse(Map.of());
    }
}
