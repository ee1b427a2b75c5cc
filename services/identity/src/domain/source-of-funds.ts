import { z } from 'zod';
import { hasNoDoubles } from './no-doubles.ts';

export const MAX_QUESTIONS = 30;
export const MAX_TEXT_LENGTH = 200;

const text = z.string().min(1).max(MAX_TEXT_LENGTH);

const questionSchema = z.object({
  question: text,
  answers: z.array(text).min(1).max(50).refine(hasNoDoubles, 'an answer stands twice'),
});

/** A question and the answers that may be given to it. */
export type Question = z.output<typeof questionSchema>;

export const questionsSchema = z
  .array(questionSchema)
  .max(MAX_QUESTIONS)
  .refine((questions) => hasNoDoubles(questions.map(({ question }) => question)), 'a question stands twice');

/** What is asked unless something else is configured: what anti-money-laundering rules want to know of a customer (FATF, recommendation 10). */
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

/** The answers in the order of the questions, or what is wrong with them, as `<path>: <what>` that names no answer. */
export const checkAnswers = (questions: readonly Question[], given: readonly Answer[]): { answers: Answer[] } | { problem: string } => {
  const byQuestion = new Map<string, string>();
  for (const [index, { question, answer }] of given.entries()) {
    const asked = questions.find((candidate) => candidate.question === question);
    if (asked === undefined) return { problem: `answers.${index}.question: is not asked` };
    if (!asked.answers.includes(answer)) return { problem: `answers.${index}.answer: is not allowed` };
    if (byQuestion.has(question)) return { problem: `answers.${index}.question: is answered twice` };
    byQuestion.set(question, answer);
  }
  if (byQuestion.size < questions.length) return { problem: 'answers: every question has to be answered' };
  return { answers: questions.map(({ question }) => ({ question, answer: byQuestion.get(question) ?? '' })) };
};

/** Whether answers, given at some time, answer every question of today. */
export const answerAll = (questions: readonly Question[], answers: readonly Answer[]): boolean =>
  questions.every((asked) => answers.some(({ question, answer }) => question === asked.question && asked.answers.includes(answer)));
