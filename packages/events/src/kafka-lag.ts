import type { Admin } from 'kafkajs';

/** A Kafka group may span topics; here each (group, topic) is one, so that its members share one assignment. */
export function kafkaGroupId(group: string, topic: string): string {
  return `${group}.${topic}`;
}

export async function countKafkaLag(admin: Admin, topic: string, group: string): Promise<number> {
  const groupId = kafkaGroupId(group, topic);
  const [ends, [committed]] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  const positions = new Map(
    committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]),
  );
  return ends.reduce((lag, { partition, low, high }) => {
    const position = Math.max(positions.get(partition) ?? -1, Number(low));
    return lag + Math.max(0, Number(high) - position);
  }, 0);
}
