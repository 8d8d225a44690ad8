// Made by ingester/assembly/group-windows.mjs from the built-in signals.

/** Four bytes of each text to search for, grouped so that few other bytes pass the kernel's search. */
// prettier-ignore
export const GROUPED_WINDOWS: ReadonlyArray<readonly string[]> = [
  ["sser","ctiv","ot f","DA e","ch f","od h","ode:","onEr","otFo","taEx","on e","t():"],
  ["gnal","kill","ATAL","LIMI"," nan","=nan",":nan","-nan","h an","d li","limi","(nan","[nan","'nan","\"nan","Kill","d_al",": -9"," NAN"," NaN","-NAN","=NAN","=NaN",":NaN","\"NaN"],
  ["nal ","n fa","nan","NAN","NaN","n Fa","N er","NCEL","GSEG","what"],
  ["ille","of m","EMPT","ORTE","_STA","ed w","ed i","icke","ed a","ed l","imit","_kil","Of M","ED A","CL e","CL E","IGSE","SIGA","SIGK","IGKI","RT w"],
  ["bort","on f","on d","ng p","on t","yErr","IMIT","EEMP","sert","le t","le n","on F","nErr","on-z","om-k","igFp","IGAB","uDNN","le d","EMOR"],
  ["e fa","n de","f me","lloc","ERRO","ERM_","n to","n ru","f di","n th","e na","E wa","E ha","E FA","ERMI","M FA","e de","nkno"],
  ["t co","t fo","r ex","A er","Abor","n er","t of","RROR","r in","d ha","t ex","a ex","d or","d in","n in","t ca","L er","L Er",") ar","ABOR"],
  ["xcee","Memo","QUEU","UEUE","TERM","ATUS","te m","term","te c","de f","le o","gFpe","leNo","aceb","DE F","MEMO"],
];
