/** Parses a text that was kept in this browser, perhaps by another build of the page. @returns undefined for nothing, and for what is no JSON */
export const parseJson = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};
