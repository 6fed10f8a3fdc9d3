/** The product's mark, a sluice gate: two posts, the gate drawn up between them, water going through below. */
export function Mark({ size = 20 }: { size?: number | undefined }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="currentColor" fillRule="evenodd" aria-hidden>
      <title>Sluice</title>
      <path d="M7 0h18a7 7 0 0 1 7 7v18a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7V7a7 7 0 0 1 7-7ZM6 6v20h3.5V15.5h13V26H26V6h-3.5v2.5h-13V6ZM11 20q2.5-2.4 5 0t5 0v3.6q-2.5 2.4-5 0t-5 0Z" />
    </svg>
  );
}
