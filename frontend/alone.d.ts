export declare const alone: string[];
