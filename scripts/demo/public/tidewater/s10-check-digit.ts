// Checks the check digit of a postal S10 number.
const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7];

export function checkDigit(serial: string): number {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(serial[at]), 0);
  const rest = 11 - (sum % 11);
  return rest === 10 ? 0 : rest === 11 ? 5 : rest;
}

export default {
  fetch(request: Request): Response {
    const number = new URL(request.url).searchParams.get('number') ?? '';
    const parts = /^[A-Z]{2}(\d{8})(\d)[A-Z]{2}$/.exec(number);
    return Response.json({ number, valid: parts !== null && checkDigit(parts[1]) === Number(parts[2]) });
  },
};
