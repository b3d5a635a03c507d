import { z } from 'zod'

/** What is wrong with a share. */
export const reportReason = z.enum(
  ['malware', 'phishing', 'personal_data', 'secret', 'copyright', 'illegal', 'other'],
  'must be malware, phishing, personal_data, secret, copyright, illegal or other',
)

/** Text of several lines, without other control characters. */
export function longText(max: number) {
  return z
    .string()
    .refine((text) => [...text].length <= max, {
      error: `must be at most ${max} characters`,
      params: { code: 'too_long' },
    })
    .refine((text) => !/[^\P{Cc}\n\r\t]|\p{Cs}/u.test(text), {
      error: 'must not contain control characters or lone surrogates',
      params: { code: 'invalid_characters' },
    })
    .meta({ maxLength: max })
}

export const newReport = z
  .strictObject({
    share: z.string().min(1, 'must not be empty').max(2_048, 'must be at most 2048 characters').meta({
      description: 'The id of the share, or its link.',
      example: 'https://snippets.example/s/rZAApimavIe4RHcY1CnKxr',
    }),
    reason: reportReason,
    message: longText(1_000).optional().describe('What the operator should know.'),
    email: z
      .string()
      .max(320, 'must be at most 320 characters')
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
      .optional()
      .describe('Where the operator can reach you.'),
  })
  .meta({ id: 'NewReport' })

export const reportReceived = z.object({ received: z.literal(true) }).meta({ id: 'ReportReceived' })
