import { z } from 'zod';

/** Section 7.1 of the specification. */
export const simpleError = z
  .object({
    success: z.literal(false),
    error: z
      .string()
      .meta({ description: 'Stable error code; `GET /errors` lists all codes with cause and remedy', examples: ['NOT_FOUND'] }),
  })
  .meta({ id: 'Error' });

export const validationError = z
  .object({
    kind: z.literal('validation'),
    success: z.literal(false),
    error: z.object({
      name: z.literal('ValidationError'),
      message: z.string().meta({
        description: 'One `<path>: <problem>` per invalid field, separated by `; `',
        examples: ['email: must be an e-mail address'],
      }),
    }),
  })
  .meta({ id: 'ValidationError' });
