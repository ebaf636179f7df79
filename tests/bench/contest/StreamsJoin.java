import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/** Joins the newest user and the newest account of every key. */
public final class StreamsJoin {

    private static final ObjectMapper JSON = new ObjectMapper();

    private StreamsJoin() {}

    public static void main(final String[] asked) {
        final Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, asked[0]);
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, asked[1]);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, asked[5]);
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, 1);
        settings.put("auto.offset.reset", "earliest");
        settings.put(StreamsConfig.producerPrefix("linger.ms"), 1);
        for (int at = 6; at < asked.length; at++) {
            final String[] option = asked[at].split("=", 2);
            settings.put(option[0], option[1]);
        }
        final StreamsBuilder builder = new StreamsBuilder();
        final var read = Consumed.with(Serdes.String(), Serdes.ByteArray());
        builder.table(asked[2], read)
                .leftJoin(builder.table(asked[3], read), StreamsJoin::joined)
                .toStream()
                .to(asked[4], Produced.with(Serdes.String(), Serdes.ByteArray()));
        final KafkaStreams streams = new KafkaStreams(builder.build(), settings);
        Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
        streams.start();
    }

    private static byte[] joined(final byte[] user, final byte[] account) {
        try {
            final ObjectNode row = (ObjectNode) JSON.readTree(user);
            if (account != null) {
                row.setAll((ObjectNode) JSON.readTree(account));
            }
            return JSON.writeValueAsBytes(row);
        } catch (final IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }
}
