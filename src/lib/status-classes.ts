/** The classes of response status to filter by. */
export const STATUS_CLASSES = [
  { value: '2xx', label: '2xx' },
  { value: '3xx', label: '3xx' },
  { value: '4xx', label: '4xx' },
  { value: '5xx', label: '5xx' },
  { value: 'none', label: 'No response' },
] as const;
