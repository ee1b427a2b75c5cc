import { z } from 'zod';
import { hasDuplicates } from './has-duplicates.ts';

const MAX_QUESTIONS = 30;
const MAX_TEXT_LENGTH = 200;

const text = z.string().min(1).max(MAX_TEXT_LENGTH);

const questionSchema = z.object({
  question: text,
  answers: z
    .array(text)
    .min(1)
    .max(50)
    .refine((answers) => !hasDuplicates(answers), 'must not contain the same answer twice'),
});

/** A question with its allowed answers. */
export type Question = z.output<typeof questionSchema>;

export const questionsSchema = z
  .array(questionSchema)
  .max(MAX_QUESTIONS)
  .refine((questions) => !hasDuplicates(questions.map(({ question }) => question)), 'must not contain the same question twice');

/** Default questions, after what anti-money-laundering rules require to know of a customer (FATF, recommendation 10). */
export const DEFAULT_QUESTIONS: readonly Question[] = [
  {
    question: 'What is the main source of the funds that you will use?',
    answers: ['Salary', 'Self-employment or business', 'Savings', 'Investments', 'Pension or benefits', 'Inheritance or gift', 'Other'],
  },
  {
    question: 'What is your occupation?',
    answers: ['Employed', 'Self-employed', 'Student', 'Retired', 'Not employed'],
  },
  {
    question: 'How much do you earn a year?',
    answers: ['Up to 25,000 EUR', '25,001 to 50,000 EUR', '50,001 to 100,000 EUR', 'More than 100,000 EUR'],
  },
  {
    question: 'How much will you spend a month?',
    answers: ['Up to 500 EUR', '501 to 2,000 EUR', '2,001 to 5,000 EUR', 'More than 5,000 EUR'],
  },
];

export type Answer = { question: string; answer: string };

/**
 * Sorts answers in the order of the questions. Returns a problem as `<path>: <what is wrong>`, without the answer itself, unless every
 * question has exactly one allowed answer.
 */
export const checkAnswers = (questions: readonly Question[], given: readonly Answer[]): { answers: Answer[] } | { problem: string } => {
  const byQuestion = new Map<string, string>();
  for (const [index, { question, answer }] of given.entries()) {
    const asked = questions.find((candidate) => candidate.question === question);
    if (asked === undefined) return { problem: `answers[${index}].question: is not one of the questions` };
    if (!asked.answers.includes(answer)) return { problem: `answers[${index}].answer: is not one of the allowed answers` };
    if (byQuestion.has(question)) return { problem: `answers[${index}].question: is answered twice` };
    byQuestion.set(question, answer);
  }
  if (byQuestion.size < questions.length) return { problem: 'answers: every question must be answered' };
  return { answers: questions.map(({ question }) => ({ question, answer: byQuestion.get(question) ?? '' })) };
};

/** Reports whether earlier answers cover every current question. */
export const coversQuestions = (questions: readonly Question[], answers: readonly Answer[]): boolean =>
  questions.every((asked) => answers.some(({ question, answer }) => question === asked.question && asked.answers.includes(answer)));
