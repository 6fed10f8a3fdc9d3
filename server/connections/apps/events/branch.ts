/** A parameter of pushes, whichever service hosts the repository. */
export const branch = {
  type: 'string',
  title: 'Branch',
  description: 'Only pushes to this branch.',
  minLength: 1,
  maxLength: 255,
  examples: ['master'],
};
