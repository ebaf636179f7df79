package livejoin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;

/**
 * Kafka takes any 64-bit number of milliseconds for the time of a record; Spark makes microseconds of it, stops for good
 * where they do not fit, and changes those of before 1900 for the sake of old calendars. Such a record is handed on as one
 * without a time, of 1970, and with the digits of its time in place of its key: it is going to be rejected, and nobody
 * asks for the key of what is rejected.
 */
public final class AnyTime implements ConsumerInterceptor<byte[], byte[]> {

    private static final long FIRST = -2_208_988_800_000L;
    private static final long LAST = Long.MAX_VALUE / 1000;

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(final ConsumerRecords<byte[], byte[]> records) {
        for (final ConsumerRecord<byte[], byte[]> record : records) {
            if (!fits(record)) {
                return readable(records);
            }
        }
        return records;
    }

    private static boolean fits(final ConsumerRecord<byte[], byte[]> record) {
        return record.timestamp() >= FIRST && record.timestamp() <= LAST;
    }

    private static ConsumerRecords<byte[], byte[]> readable(final ConsumerRecords<byte[], byte[]> records) {
        final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> handed = new HashMap<>();
        for (final TopicPartition partition : records.partitions()) {
            final List<ConsumerRecord<byte[], byte[]>> some = new ArrayList<>();
            for (final ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                some.add(fits(record) ? record : withoutTime(record));
            }
            handed.put(partition, some);
        }
        return new ConsumerRecords<>(handed);
    }

    private static ConsumerRecord<byte[], byte[]> withoutTime(final ConsumerRecord<byte[], byte[]> record) {
        final byte[] digits = Long.toString(record.timestamp()).getBytes(StandardCharsets.US_ASCII);
        return new ConsumerRecord<>(record.topic(), record.partition(), record.offset(), 0L,
                TimestampType.NO_TIMESTAMP_TYPE, digits.length, record.serializedValueSize(), digits, record.value(),
                record.headers(), record.leaderEpoch());
    }

    @Override
    public void onCommit(final Map<TopicPartition, OffsetAndMetadata> offsets) {
        // Nothing is committed.
    }

    @Override
    public void close() {
        // Nothing is open.
    }

    @Override
    public void configure(final Map<String, ?> configs) {
        // There is nothing to choose.
    }
}
