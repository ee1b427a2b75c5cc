/** Saves a text as a file of the person's device. */
export const saveFile = (name: string, type: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of the content once the click was handled.
  setTimeout(() => URL.revokeObjectURL(url));
};
