package dev.nonbis.server.store.sql;

import dev.nonbis.json.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/** How a row's key stands in its table: as it is, or as the first half of its digest where rows are only asked for one by one. */
final class SqlKey {

    private static final int DIGEST_BYTES = 16;

    private SqlKey() {}

    static void bind(PreparedStatement statement, int parameter, SqlTable table, String key) throws SQLException {
        if (table.sparse) {
            statement.setBytes(parameter, digest(key));
        } else {
            statement.setString(parameter, key);
        }
    }

    /** The column's content in a form that can be compared with {@link #comparable}. */
    static Object column(ResultSet rows, int column, SqlTable table) throws SQLException {
        return table.sparse ? ByteBuffer.wrap(rows.getBytes(column)) : rows.getString(column);
    }

    static Object comparable(SqlTable table, String key) {
        return table.sparse ? ByteBuffer.wrap(digest(key)) : key;
    }

    static byte[] digest(String key) {
        return Arrays.copyOf(Sha256.of(key.getBytes(StandardCharsets.UTF_8)), DIGEST_BYTES);
    }
}
