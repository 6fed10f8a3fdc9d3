// Keeps the durations of CI jobs and reports those that became slower than their median.
const history = new Map<string, number[]>();

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { workflow_job } = (await request.json()).data;
    const seconds = (Date.parse(workflow_job.completed_at) - Date.parse(workflow_job.started_at)) / 1000;
    const before = history.get(workflow_job.name) ?? [];
    const usual = median(before);
    history.set(workflow_job.name, [...before.slice(-49), seconds]);
    const slower = before.length >= 5 && seconds > usual * 1.5;
    if (slower) console.warn(workflow_job.name, 'took', seconds, 'seconds, usually', usual);
    return Response.json({ job: workflow_job.name, seconds, usual, slower });
  },
};
