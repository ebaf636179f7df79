package livejoin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Hands on the records of one topic alone, and not those of another one that was created under its name: a consumer reads
 * on there by itself, where that one has the offset that comes next. It asks brokers for records by the id of a topic, and
 * learns of another id by what it is told of the cluster; so whenever it was told something, the topic is asked for, and
 * no record that comes later is handed on before it was found to be still there.
 */
public final class SameTopic implements ConsumerInterceptor<byte[], byte[]>, ClusterResourceListener {

    private static final String ID = "livejoin.topic.id";
    private static final long SECONDS = 10;

    private final AtomicReference<Future<?>> asked = new AtomicReference<>();
    private Map<String, Object> properties;
    private Uuid id;
    private SharedAdmin shared;

    /** An error and no exception: Kafka logs an exception of an interceptor, and hands the records on. */
    private static final class AnotherTopic extends Error {

        private static final long serialVersionUID = 1L;

        AnotherTopic(final Uuid id, final Throwable cause) {
            super("the topic with the id " + id + " was not found: " + cause, cause);
        }
    }

    @Override
    public void configure(final Map<String, ?> configs) {
        id = Uuid.fromString(configs.get(ID).toString());
        properties = new HashMap<>(configs);
        // What differs between consumers that log in alike.
        properties.keySet().removeAll(List.of("client.id", "group.id", ID));
    }

    @Override
    public void onUpdate(final ClusterResource cluster) {
        if (shared == null) {
            shared = SharedAdmin.open(properties);
        }
        asked.set(shared.admin().describeTopics(TopicCollection.ofTopicIds(List.of(id))).topicIdValues().get(id)
                .toCompletionStage().toCompletableFuture());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(final ConsumerRecords<byte[], byte[]> records) {
        final Future<?> answer = asked.get();
        if (answer != null && !records.isEmpty()) {
            await(answer);
            asked.compareAndSet(answer, null);
        }
        return records;
    }

    private void await(final Future<?> answer) {
        try {
            answer.get(SECONDS, TimeUnit.SECONDS);
        } catch (final ExecutionException error) {
            // Such a broker knows no topic by its id, and nothing more can be told.
            if (!(error.getCause() instanceof UnsupportedVersionException)) {
                throw new AnotherTopic(id, error.getCause());
            }
        } catch (final TimeoutException error) {
            throw new AnotherTopic(id, error);
        } catch (final InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new AnotherTopic(id, error);
        }
    }

    @Override
    public void onCommit(final Map<TopicPartition, OffsetAndMetadata> offsets) {
        // Nothing is committed.
    }

    @Override
    public void close() {
        if (shared != null) {
            shared.close();
        }
    }
}
