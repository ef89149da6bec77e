/** All texts of payloads shown by lines, in one place. */
export const WRAP = 'Wrap long lines';
export const PAYLOAD = 'Payload';
