import type { Request, RequestHandler, Response } from 'express';

/** Runs a body parser of express. @throws its own errors */
export const runParser = (parser: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    void parser(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(error as Error);
    });
  });
